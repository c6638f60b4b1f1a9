import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findFreePort } from "../../tests/support/free-port.ts";
import { readNginxConfig, replaceSettings } from "../../tests/support/nginx.ts";
import { findProgram } from "../../tests/support/programs.ts";
import type { RunningServer } from "../../tests/support/server.ts";

/** nginx adds these headers itself. */
const addedByNginx = new Set([
  "Connection",
  "Content-Length",
  "Content-Type",
  "Date",
  "ETag",
  "Keep-Alive",
]);

/**
 * Starts nginx with deploy/nginx.conf in front of one node, in one process so that its CPU time can
 * be read. It also serves one file, at /file, with the same headers as the node. It has no TLS,
 * which would cost more than the rest, and no limits, because all clients have the same IP address.
 * Returns null if nginx is not installed.
 */
export async function startNginxServer(
  node: string,
  file: string,
  headers: string[],
): Promise<Omit<RunningServer, "setClock" | "waitForOutput"> | null> {
  const program = findProgram("nginx");
  if (!program) return null;
  const folder = dirname(file);
  const port = await findFreePort();
  const config = join(folder, "nginx.conf");
  const temporaryFolders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const addHeaders = headers.flatMap((name, index) =>
    index % 2 === 0 && !addedByNginx.has(name)
      ? [`add_header ${name} ${JSON.stringify(headers[index + 1])};`]
      : [],
  );
  const withoutTls = (await readNginxConfig())
    .split("\n")
    .filter((line) => !/^\s*(ssl_|limit_|listen (\[|80))/.test(line))
    .join("\n");
  const site = replaceSettings(withoutTls, {
    "127.0.0.1:3001": new URL(node).host.replace("localhost", "127.0.0.1"),
    "127.0.0.1:3002": new URL(node).host.replace("localhost", "127.0.0.1"),
    "listen 443 ssl http2": `listen 127.0.0.1:${port}`,
    "baltimore.harborline.example": "localhost",
    "/var/cache/nginx/harborline": join(folder, "nginx-cache"),
    "/var/log/nginx/": `${folder}/nginx-`,
    "location = /api/stream": `location = /file { alias ${file}; default_type "text/html; charset=utf-8"; ${addHeaders.join(" ")} }
location = /api/stream`,
  });
  await writeFile(
    config,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 1024; }
http {
  sendfile on; keepalive_requests 1000000;
  ${temporaryFolders.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  ${site}
}`,
  );
  const child = spawn(program, ["-c", config, "-e", `${folder}/nginx.log`], { stdio: "inherit" });
  const ended = once(child, "exit");
  while (!(await isListening(port))) await pause(20);
  return {
    url: `http://localhost:${port}`,
    process: child,
    output: () => "",
    async stop() {
      child.kill("SIGTERM");
      await ended;
      return child.exitCode;
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

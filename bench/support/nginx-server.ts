import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findFreePort } from "../../tests/support/free-port.ts";
import { findProgram } from "../../tests/support/programs.ts";
import type { RunningServer } from "../../tests/support/server.ts";

/**
 * Starts nginx serving one file, in one process so that its CPU time can be read. Returns null if
 * nginx is not installed.
 */
export async function startNginxFileServer(
  file: string,
): Promise<Omit<RunningServer, "setClock" | "waitForOutput"> | null> {
  const program = findProgram("nginx");
  if (!program) return null;
  const folder = dirname(file);
  const port = await findFreePort();
  const config = join(folder, "nginx.conf");
  const temporaryFolders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  await writeFile(
    config,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; keepalive_requests 1000000; open_file_cache max=10;
  ${temporaryFolders.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  server { listen 127.0.0.1:${port}; location = /about { alias ${file}; default_type text/html; add_header Content-Encoding br; } }
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

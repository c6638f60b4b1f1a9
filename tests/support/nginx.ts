import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";
import { temporaryFolder } from "./server.ts";

export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

export type Nginx = {
  plainUrl: string;
  /** Asks over https, as a browser does that has typed the city's name. */
  ask(
    path: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<Answer>;
  /** Takes the beginning of an answer that has no end, and says how long that took. */
  listen(path: string, bytes: number): Promise<{ headers: Answer["headers"]; body: Buffer; ms: number }>;
  stop(): Promise<void>;
};

const host = "baltimore.harborline.example";

/** Runs deploy/nginx.conf as it stands, with other ports, another certificate, and nodes of the test's own. */
export async function startNginx(
  program: string,
  nodes: [string, string],
  { microCache = true } = {},
): Promise<Nginx> {
  const folder = await temporaryFolder();
  const [plain, secure] = [await freePort(), await freePort()];
  const [certificate, key] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
  const subject = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  await promisify(execFile)("openssl", [
    ...["req", "-x509", ...newKey, ...subject],
    ...["-keyout", key, "-out", certificate],
  ]);
  const site = exchange(await readFile("deploy/nginx.conf", "utf8"), {
    "127.0.0.1:3001": new URL(nodes[0]).host.replace("localhost", "127.0.0.1"),
    "127.0.0.1:3002": new URL(nodes[1]).host.replace("localhost", "127.0.0.1"),
    "listen 80;": `listen 127.0.0.1:${plain};`,
    "listen 443 ssl http2;": `listen 127.0.0.1:${secure} ssl http2;`,
    "/etc/ssl/harborline/fullchain.pem": certificate,
    "/etc/ssl/harborline/privkey.pem": key,
    "/var/cache/nginx/harborline": join(folder.path, "cache"),
    ...(microCache ? {} : { "proxy_cache harborline_pages;": "" }),
  });
  await mkdir(join(folder.path, "cache"));
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const config = join(folder.path, "nginx.conf");
  await writeFile(
    config,
    `pid ${folder.path}/nginx.pid; error_log ${folder.path}/error.log; worker_processes 1; daemon off;
${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 1024; }
http {
  access_log off;
  ${paths.map((name) => `${name}_temp_path ${folder.path}/${name};`).join(" ")}
  ${site}
}`,
  );
  const child = spawn(program, ["-c", config, "-e", join(folder.path, "error.log")], { stdio: "inherit" });
  const ended = once(child, "exit");
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 16,
    ca: await readFile(certificate),
    servername: host,
  });

  const ask: Nginx["ask"] = async (path, { method = "GET", headers = {}, body } = {}) => {
    const sent = request({
      ...{ agent, host: "127.0.0.1", port: secure, path, method },
      headers: { host, ...headers },
    });
    sent.end(body);
    const [answer] = await once(sent, "response");
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  };

  const listen: Nginx["listen"] = async (path, bytes) => {
    const began = performance.now();
    const sent = request({ agent, host: "127.0.0.1", port: secure, path, headers: { host } });
    sent.end();
    const [answer] = await once(sent, "response");
    const parts: Buffer[] = [];
    for await (const part of answer) {
      parts.push(part);
      if (Buffer.concat(parts).length >= bytes) break;
    }
    return { headers: answer.headers, body: Buffer.concat(parts), ms: performance.now() - began };
  };

  for (;;) {
    const open = await ask("/healthz").catch(() => null);
    if (open) break;
    if (child.exitCode !== null) throw new Error(await readFile(join(folder.path, "error.log"), "utf8"));
  }
  return {
    plainUrl: `http://127.0.0.1:${plain}`,
    ask,
    listen,
    async stop() {
      agent.destroy();
      child.kill("SIGQUIT");
      await ended;
      await folder.remove();
    },
  };
}

/** What is not found was renamed in the configuration, and would be tested no more. */
function exchange(text: string, pairs: Record<string, string>): string {
  let result = text;
  for (const [from, to] of Object.entries(pairs)) {
    if (!result.includes(from)) throw new Error(`deploy/nginx.conf no longer says "${from}".`);
    result = result.replaceAll(from, to);
  }
  return result;
}

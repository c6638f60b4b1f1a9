import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { Agent, request } from "node:https";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";
import { temporaryFolder } from "./server.ts";

type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
};

type RequestOptions = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** The reader's own address, any of 127.0.0.0/8. */
  from?: string;
  /** The name in the TLS handshake; else the city's. */
  servername?: string;
};

export type Nginx = {
  /** The loopback addresses that it listens on. */
  addresses: string[];
  /** Where the cache, the logs and the ACME challenges are. */
  folder: string;
  /** Asks over https, as a browser does that has typed the city's name. */
  request(path: string, question?: RequestOptions): Promise<Answer>;
  /** The same, as soon as the answer begins. */
  openRequest(path: string, question?: RequestOptions): Promise<IncomingMessage>;
  /** Asks without TLS. */
  requestWithoutTls(path: string, question?: { host?: string; address?: string }): Promise<Answer>;
  /** Takes the beginning of an answer that has no end, and says how long that took. */
  readStream(
    path: string,
    bytes: number,
  ): Promise<{ headers: Answer["headers"]; body: Buffer; ms: number }>;
  stop(): Promise<void>;
};

const host = "baltimore.harborline.example";

/**
 * Runs deploy/nginx.conf with other ports and folders, another certificate, and the nodes of the
 * test.
 */
export async function startNginx(
  program: string,
  nodes: [string, string],
  { microCache = true, tightLimits = false } = {},
): Promise<Nginx> {
  const folder = await temporaryFolder();
  const [plain, secure] = [await freePort(), await freePort()];
  const [certificate, key] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
  const subject = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  const newKey = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-days",
    "2",
  ];
  await promisify(execFile)("openssl", [
    "req",
    "-x509",
    ...newKey,
    ...subject,
    "-keyout",
    key,
    "-out",
    certificate,
  ]);
  const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address }) => address === "::1"),
  );
  const ipv6 = (port: number) => (hasIpv6 ? `listen [::1]:${port}` : "#");
  const site = replaceSettings(await readFile("deploy/nginx.conf", "utf8"), {
    "127.0.0.1:3001": new URL(nodes[0]).host.replace("localhost", "127.0.0.1"),
    "127.0.0.1:3002": new URL(nodes[1]).host.replace("localhost", "127.0.0.1"),
    "listen 80": `listen 127.0.0.1:${plain}`,
    "listen [::]:80": ipv6(plain),
    "listen 443": `listen 127.0.0.1:${secure}`,
    "listen [::]:443": ipv6(secure),
    "/etc/ssl/harborline/fullchain.pem": certificate,
    "/etc/ssl/harborline/privkey.pem": key,
    "/var/cache/nginx/harborline": join(folder.path, "cache"),
    "/var/log/nginx/harborline": join(folder.path, "logs/harborline"),
    "/var/www/acme": join(folder.path, "acme"),
    ...(microCache ? {} : { "proxy_cache harborline_pages;": "" }),
    ...(tightLimits
      ? {
          "rate=100r/s": "rate=1r/m",
          "burst=400": "burst=9",
          "harborline_connections 100": "harborline_connections 2",
        }
      : {}),
  });
  for (const name of ["cache", "logs", "acme/.well-known/acme-challenge"])
    await mkdir(join(folder.path, name), { recursive: true });
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const config = join(folder.path, "nginx.conf");
  await writeFile(
    config,
    // Logs are as in Debian's nginx.conf: whatever the site's own file does not decide about is
    // written to them.
    `pid ${folder.path}/nginx.pid; error_log ${folder.path}/logs/error.log; worker_processes 1; daemon off;
${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 1024; }
http {
  access_log ${folder.path}/logs/access.log;
  error_log ${folder.path}/logs/error.log;
  ${paths.map((name) => `${name}_temp_path ${folder.path}/${name};`).join(" ")}
  ${site}
}`,
  );
  const child = spawn(program, ["-c", config, "-e", join(folder.path, "logs/error.log")], {
    stdio: "inherit",
  });
  const ended = once(child, "exit");
  const ca = await readFile(certificate);
  const agents = new Map<string, Agent>();
  /** One pool of connections for each name, since an agent's own name goes before a request's. */
  const agentOf = (servername: string) => {
    const agent =
      agents.get(servername) ?? new Agent({ keepAlive: true, maxSockets: 16, ca, servername });
    agents.set(servername, agent);
    return agent;
  };

  const open: Nginx["openRequest"] = async (
    path,
    { method = "GET", headers = {}, body, from, servername } = {},
  ) => {
    const sent = request({
      agent: agentOf(servername ?? host),
      host: "127.0.0.1",
      port: secure,
      path,
      method,
      localAddress: from,
      headers: { host, ...headers },
    });
    sent.end(body);
    const [answer] = await once(sent, "response");
    return answer;
  };
  const ask: Nginx["request"] = async (path, question) => readWhole(await open(path, question));

  const askPlainly: Nginx["requestWithoutTls"] = async (path, question = {}) => {
    const { host: name = host, address = "127.0.0.1" } = question;
    const sent = plainRequest({ host: address, port: plain, path, headers: { host: name } });
    sent.end();
    const [answer] = await once(sent, "response");
    return readWhole(answer);
  };

  const listen: Nginx["readStream"] = async (path, bytes) => {
    const began = performance.now();
    const answer = await open(path);
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
    if (child.exitCode !== null)
      throw new Error(await readFile(join(folder.path, "logs/error.log"), "utf8"));
  }
  return {
    addresses: ["127.0.0.1", ...(hasIpv6 ? ["::1"] : [])],
    folder: folder.path,
    request: ask,
    openRequest: open,
    requestWithoutTls: askPlainly,
    readStream: listen,
    async stop() {
      for (const agent of agents.values()) agent.destroy();
      child.kill("SIGQUIT");
      await ended;
      await folder.remove();
    },
  };
}

async function readWhole(answer: IncomingMessage): Promise<Answer> {
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
}

/** What is not found was renamed in the configuration, and would be tested no more. */
function replaceSettings(text: string, pairs: Record<string, string>): string {
  let result = text;
  for (const [from, to] of Object.entries(pairs)) {
    if (!result.includes(from)) throw new Error(`deploy/nginx.conf no longer says "${from}".`);
    result = result.replaceAll(from, to);
  }
  return result;
}

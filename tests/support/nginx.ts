import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { findFreePort } from "./free-port.ts";
import { startHelper } from "./helper-process.ts";
import { temporaryFolder } from "./server.ts";

type CompleteResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
};

type RequestOptions = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** The reader's IP address, any of 127.0.0.0/8. */
  from?: string;
  /** The host name in the TLS handshake. The default is the city's host name. */
  servername?: string;
};

export type Nginx = {
  /** The loopback IP addresses on which nginx listens. */
  addresses: string[];
  /** The folder with the cache, the logs and the ACME challenges. */
  folder: string;
  /** Sends a request over HTTPS to the city's host name, as a browser does. */
  request(path: string, options?: RequestOptions): Promise<CompleteResponse>;
  /** Sends a request like `request`, but resolves as soon as the response begins. */
  openRequest(path: string, options?: RequestOptions): Promise<IncomingMessage>;
  /** Sends a request over plain HTTP. */
  requestWithoutTls(
    path: string,
    options?: { host?: string; address?: string },
  ): Promise<CompleteResponse>;
  /** Reads the beginning of a response that never ends. */
  readStream(
    path: string,
    bytes: number,
  ): Promise<{ headers: CompleteResponse["headers"]; body: Buffer }>;
  stop(): Promise<void>;
};

type NginxOptions = {
  microCache?: boolean;
  tightLimits?: boolean;
  /** The node of each further city, by the city's name. */
  otherCities?: Record<string, string>;
};

const host = "baltimore.harborline.example";

/** Returns the configuration as one text, with the blocks of further cities. */
export async function readNginxConfig(otherCities: Record<string, string> = {}): Promise<string> {
  const shared = await readFile("deploy/nginx-city.conf", "utf8");
  const config = await readFile("deploy/nginx.conf", "utf8");
  const ownBlocks = config.slice(config.indexOf("upstream harborline_baltimore"));
  const otherBlocks = Object.entries(otherCities).map(([city, node]) =>
    replaceSettings(ownBlocks, {
      baltimore: city,
      "127.0.0.1:3001": toAddress(node),
      "127.0.0.1:3002": toAddress(node),
    })
      // The test has one certificate for all cities.
      .replaceAll(`/harborline/${city}/`, "/harborline/baltimore/"),
  );
  return [config, ...otherBlocks].join("\n").replaceAll(includeLine, shared);
}

const includeLine = "include /etc/nginx/harborline-city.conf;";
const toAddress = (url: string) => new URL(url).host.replace("localhost", "127.0.0.1");

/**
 * Runs deploy/nginx.conf with the nodes, ports, folders and certificate of the test.
 */
export async function startNginx(
  program: string,
  nodes: [string, string],
  { microCache = true, tightLimits = false, otherCities = {} }: NginxOptions = {},
): Promise<Nginx> {
  const folder = await temporaryFolder();
  const [httpPort, httpsPort] = [await findFreePort(), await findFreePort()];
  const [certificate, key] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
  const names = `subjectAltName=DNS:${host},DNS:*.harborline.example`;
  const subjectOptions = ["-subj", `/CN=${host}`, "-addext", names];
  const keyOptions = [
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
    ...keyOptions,
    ...subjectOptions,
    "-keyout",
    key,
    "-out",
    certificate,
  ]);
  const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === "::1"),
  );
  const toIpv6Listen = (port: number) => (hasIpv6 ? `listen [::1]:${port}` : "#");
  const site = replaceSettings(await readNginxConfig(otherCities), {
    "127.0.0.1:3001": toAddress(nodes[0]),
    "127.0.0.1:3002": toAddress(nodes[1]),
    "listen 80": `listen 127.0.0.1:${httpPort}`,
    "listen [::]:80": toIpv6Listen(httpPort),
    "listen 443": `listen 127.0.0.1:${httpsPort}`,
    "listen [::]:443": toIpv6Listen(httpsPort),
    "/etc/ssl/harborline/baltimore/fullchain.pem": certificate,
    "/etc/ssl/harborline/baltimore/privkey.pem": key,
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
  const temporaryFolders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const config = join(folder.path, "nginx.conf");
  await writeFile(
    config,
    // These logs are the same as in Debian's nginx.conf: they receive everything that the site's
    // own file does not send elsewhere.
    `pid ${folder.path}/nginx.pid; error_log ${folder.path}/logs/error.log; worker_processes 1; daemon off;
${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 1024; }
http {
  access_log ${folder.path}/logs/access.log;
  error_log ${folder.path}/logs/error.log;
  ${temporaryFolders.map((name) => `${name}_temp_path ${folder.path}/${name};`).join(" ")}
  ${site}
}`,
  );
  const child = startHelper(program, ["-c", config, "-e", join(folder.path, "logs/error.log")], {
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  const ca = await readFile(certificate);
  const agents = new Map<string, Agent>();
  /**
   * Returns the connection pool for a host name. Each host name has its own, because an agent's
   * server name overrides that of a request.
   */
  const getAgent = (servername: string) => {
    const agent =
      agents.get(servername) ?? new Agent({ keepAlive: true, maxSockets: 16, ca, servername });
    agents.set(servername, agent);
    return agent;
  };

  const openRequest: Nginx["openRequest"] = async (
    path,
    { method = "GET", headers = {}, body, from, servername } = {},
  ) => {
    const outgoingRequest = httpsRequest({
      agent: getAgent(servername ?? host),
      host: "127.0.0.1",
      port: httpsPort,
      path,
      method,
      localAddress: from,
      headers: { host, ...headers },
    });
    outgoingRequest.end(body);
    const [response] = await once(outgoingRequest, "response");
    return response;
  };
  const request: Nginx["request"] = async (path, options) =>
    readCompleteResponse(await openRequest(path, options));

  const requestWithoutTls: Nginx["requestWithoutTls"] = async (path, options = {}) => {
    const { host: name = host, address = "127.0.0.1" } = options;
    const outgoingRequest = httpRequest({
      host: address,
      port: httpPort,
      path,
      headers: { host: name },
    });
    outgoingRequest.end();
    const [response] = await once(outgoingRequest, "response");
    return readCompleteResponse(response);
  };

  const readStream: Nginx["readStream"] = async (path, bytes) => {
    const response = await openRequest(path);
    const parts: Buffer[] = [];
    for await (const part of response) {
      parts.push(part);
      if (Buffer.concat(parts).length >= bytes) break;
    }
    return { headers: response.headers, body: Buffer.concat(parts) };
  };

  for (;;) {
    const response = await request("/healthz").catch(() => null);
    if (response) break;
    if (child.exitCode !== null) {
      const reason = await readFile(join(folder.path, "logs/error.log"), "utf8");
      await folder.remove();
      throw new Error(`nginx could not start: ${reason}`);
    }
  }
  return {
    addresses: ["127.0.0.1", ...(hasIpv6 ? ["::1"] : [])],
    folder: folder.path,
    request,
    openRequest,
    requestWithoutTls,
    readStream,
    async stop() {
      for (const agent of agents.values()) agent.destroy();
      child.kill();
      await ended;
      await folder.remove();
    },
  };
}

async function readCompleteResponse(response: IncomingMessage): Promise<CompleteResponse> {
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: await text(response),
  };
}

/**
 * Replaces settings in the configuration. Fails if a setting is not found, because a setting that
 * was renamed would no longer be tested.
 */
export function replaceSettings(text: string, pairs: Record<string, string>): string {
  let result = text;
  for (const [from, to] of Object.entries(pairs)) {
    if (!result.includes(from)) throw new Error(`deploy/nginx.conf no longer contains "${from}".`);
    result = result.replaceAll(from, to);
  }
  return result;
}

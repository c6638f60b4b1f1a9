import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { basename, resolve } from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";
import { hasErrorCode } from "../../app/lib/error-code.ts";
import { SetupError } from "../process/setup-error.ts";
import { defaultDataFolder, findSite, requireOwnData } from "./choose-city.ts";
import { readProxies } from "./proxies.ts";

/**
 * How many listeners one visitor may have. Offices, schools and many phones share one IP address,
 * but one client must not take up the entire capacity.
 */
export const maxListenersPerVisitor = 20;

/** A number in a range. The message also covers text that is not a number. */
function numberFrom(min: number, max: number) {
  const range = `must be a number from ${min} to ${max}`;
  return z.coerce.number(range).min(min, range).max(max, range);
}
const wholeNumberFrom = (min: number, max: number) =>
  numberFrom(min, max).int(`must be a whole number from ${min} to ${max}`);
const port = wholeNumberFrom(0, 65_535);
const url = (example: string) => `must be a URL such as ${example}`;

export const defaultSites = "sites";

const environmentSchema = z.object({
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: port.default(3000),
  METRICS_PORT: port.optional(),
  DATA_DIR: z.string().min(1).optional(),
  DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error: "must be postgres://user:password@host:port/database",
    })
    .optional(),
  SITES_DIR: z.string().min(1).default(defaultSites),
  SITE: z
    .string()
    .regex(/^[\w-]+$/, "must be the name of a folder: letters, digits, - and _")
    .optional(),
  BLOG_BACKEND_URL: z
    .url({ protocol: /^https?$/, error: url("https://x.example/functions/v1") })
    .optional(),
  BLOG_PUBLIC_KEY: z.string().default(""),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be smtp://… or smtps://…" }).optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>"@]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
      "must be an email address, or Name <email address>",
    )
    .optional(),
  TRUST_PROXY: z
    .string()
    .default("0")
    .transform((value, context) => {
      const proxies = readProxies(value);
      if (proxies) return proxies;
      context.addIssue(
        "must be 0, 1 (a proxy on this machine), or IP addresses and networks such as 10.0.0.5,10.1.0.0/16",
      );
      return z.NEVER;
    }),
  FETCH_ALLOW: z
    .string()
    .default("")
    .transform((value, context) => {
      const entries = value.split(",").map((entry) => entry.trim());
      return entries.flatMap((entry) => {
        if (entry === "") return [];
        const address = readIpAddress(entry);
        if (address !== null) return [address];
        context.addIssue(
          `"${entry}" is not an IP address with or without a port, such as 10.0.0.5 or 10.0.0.5:8080`,
        );
        return [];
      });
    }),
  OFFLINE: z.enum(["0", "1"], "must be 0 or 1").default("0"),
  PAGE_CACHE: z.enum(["on", "off"], "must be on or off").default("on"),
  OFFLINE_COPIES: z.enum(["on", "off"], "must be on or off").default("on"),
  RADIO_UPSTREAM: z
    .url({ protocol: /^https?$/, error: url("https://radio.example:8000/live") })
    .optional(),
  RADIO_MAX_LISTENERS: wholeNumberFrom(1, 100_000).default(2_000),
  RADIO_HOLD_SECONDS: numberFrom(1, 60).default(6),
  RADIO_IDLE_SECONDS: numberFrom(0, 3_600).default(30),
});

/**
 * Reads an IP address with an optional port. Removes the brackets of IPv6, because
 * lib/external/safe-fetch.server.ts compares IP addresses without them. Returns null if the text is
 * not an IP address.
 */
function readIpAddress(text: string): string | null {
  if (isIP(text)) return text;
  const end = text.lastIndexOf(":");
  const [host, portText] = [text.slice(0, end).replace(/^\[|\]$/g, ""), text.slice(end + 1)];
  const isPort = /^\d{1,5}$/.test(portText) && Number(portText) > 0 && Number(portText) <= 65_535;
  return end > 0 && isIP(host) && isPort ? `${host}:${portText}` : null;
}

export type Config = ReturnType<typeof readConfig>;
export type RadioSettings = Omit<Config["radio"], "upstream">;

/**
 * Reads all settings from the environment and from two files in the current folder, if they exist:
 * .env.baltimore has the settings of one city, and .env those of all cities. A city that is passed
 * comes before SITE. The command that creates the first city needs no city.
 */
export function loadConfig(city?: string, isCityNeeded = true): Config {
  if (city !== undefined) process.env.SITE = city;
  const forAll = { ...readEnvFile(".env"), ...process.env };
  if (!isCityNeeded) return readConfig(forAll, false);
  const folder = findSite(
    resolve(forAll.SITES_DIR || defaultSites),
    city ?? (forAll.SITE || undefined),
  );
  const forCity = readEnvFile(`.env.${basename(folder)}`);
  Object.assign(process.env, { ...forAll, ...forCity, ...process.env });
  return readConfig(process.env);
}

/** Reads a file such as .env. A file that does not exist has no settings. */
export function readEnvFile(name: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(name, "utf8"));
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return {};
    throw new SetupError(`Could not read the settings in ${resolve(name)}: ${error}`);
  }
}

export function readConfig(env: NodeJS.ProcessEnv, isCityNeeded = true) {
  // An empty variable, which shell scripts often leave behind, counts as not set.
  const nonEmpty = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = environmentSchema.safeParse(nonEmpty);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new SetupError(`These environment variables are not valid:\n${lines.join("\n")}`);
  }
  const settings = parsed.data;
  const sitesDir = resolve(settings.SITES_DIR);
  const siteFolder = isCityNeeded ? findSite(sitesDir, settings.SITE) : sitesDir;
  const ownFolder = isCityNeeded ? defaultDataFolder(siteFolder) : "var";
  const dataDir = resolve(settings.DATA_DIR ?? ownFolder);
  if (isCityNeeded) requireOwnData(dataDir, siteFolder);
  const toUrl = (text: string | undefined) => (text === undefined ? undefined : new URL(text));
  const { BLOG_BACKEND_URL, BLOG_PUBLIC_KEY } = settings;
  return {
    host: settings.HOST,
    port: settings.PORT,
    /** The local port that serves metrics. If it is not set, metrics are not served. */
    metricsPort: settings.METRICS_PORT,
    dataDir,
    databaseUrl: settings.DATABASE_URL,
    /** The folder that contains the city folders. */
    sitesDir,
    siteFolder,
    blogBackend:
      BLOG_BACKEND_URL === undefined ? undefined : { url: BLOG_BACKEND_URL, key: BLOG_PUBLIC_KEY },
    /** The server that sends emails. Without one, emails are written to files in the data folder. */
    smtpUrl: toUrl(settings.SMTP_URL),
    /** The sender of emails; by default the city's own email address. */
    mailFrom: settings.MAIL_FROM === undefined ? undefined : readSender(settings.MAIL_FROM),
    /** The proxies whose forwarded headers are trusted. */
    proxies: settings.TRUST_PROXY,
    /** IP addresses that may be fetched from although they are not public. */
    fetchAllow: settings.FETCH_ALLOW,
    /** Send no requests to external servers. */
    offline: settings.OFFLINE === "1",
    /** Whether pages are served from memory. Without it, every request is rendered, to measure that. */
    pageCache: settings.PAGE_CACHE === "on",
    /** Whether readers' browsers may store pages: see server/http/files/offline-worker.ts. */
    offlineCopies: settings.OFFLINE_COPIES === "on",
    radio: {
      /** The station to relay. If there is none, the city's own station plays. */
      upstream: toUrl(settings.RADIO_UPSTREAM),
      maxListeners: settings.RADIO_MAX_LISTENERS,
      maxPerVisitor: maxListenersPerVisitor,
      /** How long listeners stay connected while there is no audio. */
      holdMs: settings.RADIO_HOLD_SECONDS * 1_000,
      /** How long the station keeps running after the last listener has left. */
      idleMs: settings.RADIO_IDLE_SECONDS * 1_000,
    },
  };
}

function readSender(from: string): { name: string; address: string } {
  const [, name = "", address = from] = /^(.*)<(.*)>$/.exec(from) ?? [];
  return { name: name.trim(), address };
}

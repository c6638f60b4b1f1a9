import { resolveMx, resolveTxt } from "node:dns/promises";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { contactFile, siteSettingsFile } from "../../../app/features/brand/feature.server.ts";
import { hasErrorCode } from "../../../app/lib/error-code.ts";
import { formatCount } from "../../../app/lib/newsroom/printing.ts";
import { withTimeout } from "../../../app/lib/with-timeout.ts";
import type { Feature } from "../../../app/platform/feature.ts";
import type { SiteContent } from "../../../app/site-files/site-file.server.ts";
import type { ServerCommandContext } from "../commands.ts";
import { findLine } from "../cross-checks.ts";

/** `file` is a site file, or the name of a setting of the server; `line` is 0 for all of it. */
type LocatedItem = {
  file: string;
  line: number;
  message: string;
  fix: string;
  isOptional: boolean;
};

/** Lists everything that is still a sample, a default or unset before a public launch. */
export async function listLaunchItems(
  features: Pick<Feature, "launch">[],
  context: ServerCommandContext,
): Promise<LocatedItem[]> {
  const site = await context.readSite(context.siteFiles);
  const sources = await readTexts(context.siteFolder);
  const declared = features
    .flatMap(({ launch }) => launch?.(site) ?? [])
    .map(({ at, isOptional = false, ...item }) => {
      const source = sources.get(item.file);
      const line = source === undefined ? 0 : findLine({ at }, source) || 1;
      return { ...item, isOptional, line };
    });
  const inTexts = [...sources].flatMap(([file, source]) =>
    findPlaceholders(source).map((found) => ({ file, isOptional: false, ...found })),
  );
  const inSettings = await listSettingItems(context, site);
  const isDeclared = ({ file, line }: LocatedItem) =>
    declared.some((item) => item.file === file && item.line === line);
  const inFiles = [...declared, ...inTexts.filter((item) => !isDeclared(item))];
  return [...inFiles.toSorted(byPlace), ...inSettings];
}

const byPlace = (one: LocatedItem, other: LocatedItem) =>
  one.file.localeCompare(other.file) || one.line - other.line;

async function readTexts(siteFolder: string): Promise<Map<string, string>> {
  const names = await readdir(siteFolder, { recursive: true });
  const texts = names.filter((name) => /^[^.].*\.(yaml|md|vtt)$/.test(name)).toSorted();
  return new Map(
    await Promise.all(
      texts.map(async (name) => [name, await readFile(join(siteFolder, name), "utf8")] as const),
    ),
  );
}

/** Begins a comment in a site file that asks for something before the site is public. */
const noteStart = "Before launch:";
/** The domains that RFC 2606 reserves for samples. */
const sampleHost = /[\w@.-]{0,100}(?:\.example|\bexample\.(?:com|net|org))\b(?!\.\w)/;
/** The phone numbers that are reserved for fiction. */
const samplePhone = /\b\d{3}-555-01\d\d\b/;

type Placeholder = { line: number; message: string; fix: string };

/** Finds notes of this kind, sample addresses and sample phone numbers in a file. */
function findPlaceholders(source: string): Placeholder[] {
  const lines = source.split("\n");
  return lines.flatMap((text, index): Placeholder[] => {
    const line = index + 1;
    const start = text.indexOf(noteStart);
    if (start >= 0)
      return [
        {
          line,
          message: readNote(lines, index, start + noteStart.length),
          fix: "Remove this comment when it is done.",
        },
      ];
    if (/^\s*(#|<!--)/.test(text)) return [];
    const [sample] = sampleHost.exec(text) ?? samplePhone.exec(text) ?? [];
    return sample === undefined
      ? []
      : [{ line, message: `${sample} is a sample.`, fix: "Replace it with your own." }];
  });
}

/** A note may continue in the comment lines below it, up to the end of a sentence. */
function readNote(lines: string[], index: number, start: number): string {
  let note = (lines[index] ?? "").slice(start).replace(/-->.*/, "").trim();
  for (const next of lines.slice(index + 1)) {
    const more = /^\s*#\s?(\S.*)$/.exec(next)?.[1];
    if (/[.:]$/.test(note) || more === undefined) break;
    note += ` ${more.trim()}`;
  }
  return note.charAt(0).toUpperCase() + note.slice(1).replace(/:$/, ".");
}

/** Checks the settings of the server and, as far as the network tells, what others see of them. */
async function listSettingItems(
  context: ServerCommandContext,
  site: SiteContent,
): Promise<LocatedItem[]> {
  const { smtpUrl, mailFrom, proxies, offline } = context.config;
  const { origin } = site.read(siteSettingsFile);
  const sender = mailFrom?.address ?? site.read(contactFile).email;
  const items = [
    !smtpUrl &&
      toItem("SMTP_URL", "is not set, so no email is sent.", "Set it: docs/operations.md."),
    !mailFrom &&
      toItem("MAIL_FROM", `is not set, so emails come from ${sender}.`, "Check it.", true),
    !origin.startsWith("https:") &&
      toItem("site.yaml", "has an origin without TLS.", "Set origin to https://…"),
    !proxies.exist &&
      toItem(
        "TRUST_PROXY",
        "is 0, so the server does not know the addresses of readers behind a proxy.",
        "If a proxy provides TLS, set TRUST_PROXY=1 or its IP address.",
      ),
  ].filter((item) => item !== false);
  const domain = sender.split("@")[1] ?? "";
  // Nobody can look up a sample domain, and the list above already names it.
  if (offline || /\.example$/.test(domain)) return items;
  return [
    ...items,
    ...(await checkMailDomain(domain)),
    ...(await checkPublicSite(context, origin)),
  ];
}

const toItem = (file: string, message: string, fix: string, isOptional = false): LocatedItem => ({
  file,
  line: 0,
  message,
  fix,
  isOptional,
});

const lookupTimeoutMs = 5_000;

/** The records of a name; an empty list if it has none, and null if nobody can tell. */
async function lookUp<T>(records: Promise<T[]>): Promise<T[] | null> {
  return withTimeout(records, lookupTimeoutMs, "too late").catch((error: unknown) => {
    return hasErrorCode(error, "ENOTFOUND") || hasErrorCode(error, "ENODATA") ? [] : null;
  });
}

/** DKIM has no fixed name in DNS, so only a received email shows whether it works. */
async function checkMailDomain(domain: string): Promise<LocatedItem[]> {
  const [mx, txt, dmarc] = await Promise.all([
    lookUp(resolveMx(domain)),
    lookUp(resolveTxt(domain)),
    lookUp(resolveTxt(`_dmarc.${domain}`)),
  ]);
  if (mx === null || txt === null || dmarc === null)
    return [
      toItem("DNS", `did not answer about ${domain}.`, "Run this command again online.", true),
    ];
  const hasRecord = (records: string[][], start: string) =>
    records.some((parts) => parts.join("").toLowerCase().startsWith(start));
  return [
    mx.length === 0 &&
      toItem("DNS", `has no MX record for ${domain}, which gets no email.`, "Add one."),
    !hasRecord(txt, "v=spf1") &&
      toItem("DNS", `has no SPF record for ${domain}.`, "Add the one of your mail provider."),
    !hasRecord(dmarc, "v=dmarc1") &&
      toItem("DNS", `has no DMARC record for ${domain}.`, "Add one at _dmarc.", true),
    toItem(
      "DKIM",
      `of ${domain} cannot be checked from here.`,
      "Send yourself an email, and look for dkim=pass in its headers.",
      true,
    ),
  ].filter((item) => item !== false);
}

/** Fetches robots.txt as search engines do, which also shows whether TLS works. */
async function checkPublicSite(
  { fetch }: ServerCommandContext,
  origin: string,
): Promise<LocatedItem[]> {
  const url = `${origin}/robots.txt`;
  const response = await fetch(url, { maxBytes: 100_000 });
  if (response.kind !== "response" || response.status !== 200)
    return [toItem(url, "cannot be read from here.", "Check DNS, TLS and the proxy.")];
  const text = new TextDecoder().decode(response.body);
  const advice = "Remove Disallow from your proxy's file.";
  const isClosed = /^disallow: *\/ *$/im.test(text);
  return isClosed ? [toItem(url, "tells search engines to stay away.", advice)] : [];
}

const marks = { open: "✗", optional: "–" };

/** Prints the list. The exit code is 1 as long as something that readers would see is not ready. */
export function printLaunchItems(context: ServerCommandContext, items: LocatedItem[]): number {
  const open = items.filter(({ isOptional }) => !isOptional);
  context.result({ ok: open.length === 0, items });
  for (const { file, line, message, fix, isOptional } of items) {
    context.print(
      `${isOptional ? marks.optional : marks.open} ${file}${line > 0 ? `:${line}` : ""}  ${message}`,
    );
    context.print(`    → ${fix}`);
  }
  if (items.length > 0) context.print("");
  const optional = items.length - open.length;
  context.print(
    open.length > 0
      ? `${formatCount(open.length, "thing")} to do before launch (✗), and ${optional} optional (–).`
      : `Ready for launch. ${formatCount(optional, "optional thing")} (–).`,
  );
  return open.length === 0 ? 0 : 1;
}

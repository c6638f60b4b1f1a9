import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { brandFile } from "../../../app/features/brand/feature.server.ts";
import type { SourceHealth } from "../../../app/lib/external/source-visits.server.ts";
import { bad, type Finding, good, warning } from "../../../app/lib/newsroom/finding.ts";
import { formatCount } from "../../../app/lib/newsroom/printing.ts";
import type { SiteReader } from "../../../app/lib/site/site-file.server.ts";
import type { Feature } from "../../../app/platform/feature.ts";
import type { Database } from "../../../db/database.ts";
import type { ServerCommandContext } from "../context.ts";
import type { Checks } from "../cross-checks.ts";
import { readCity } from "../validate.ts";

const connectTimeoutMs = 5_000;
const maxNamed = 3;

export async function files(context: ServerCommandContext, checks: Checks): Promise<Finding[]> {
  const readings = await readCity(context, checks);
  const wrong = readings.filter(({ problems }) => problems.length > 0).map(({ file }) => file);
  return wrong.length === 0
    ? [good("city's files", `all ${readings.length} are good`)]
    : [
        bad(
          "city's files",
          `${formatCount(wrong.length, "file needs", "files need")} a correction: ${formatNames(wrong)}`,
          '"./newsroom validate" says which line.',
        ),
      ];
}

/** The address that readers are told, and whether requests can come by it. */
export function address(
  { config: { proxies } }: ServerCommandContext,
  site: SiteReader,
): Finding[] {
  const { origin } = site.read(brandFile);
  const { hostname, protocol } = new URL(origin);
  if (hostname.endsWith(".example"))
    return [
      warning(
        "address",
        `${origin} is a sample.`,
        "Write the site's own address into site.yaml before launch.",
      ),
    ];
  // Over https readers come through a proxy; without its word for it their forms look like another
  // site's.
  return protocol === "https:" && !proxies.exist
    ? [
        warning(
          "address",
          `Readers come to ${origin}, but TRUST_PROXY is 0: forms may be refused.`,
          "Set TRUST_PROXY=1 behind a proxy on this machine, or to the proxy's address.",
        ),
      ]
    : [good("address", origin)];
}

export async function sources(
  features: Pick<Feature, "sources">[],
  { config: { offline } }: ServerCommandContext,
  site: SiteReader,
  db: Database,
): Promise<Finding[]> {
  if (offline)
    return [
      warning(
        "sources",
        "OFFLINE=1: no feed and no calendar is asked.",
        "Take OFFLINE out of the settings.",
      ),
    ];
  const found = features.flatMap(({ sources: declared }) => declared ?? []);
  const looks = found.map(async ({ about, health: findHealth, fix }) =>
    health(about, await findHealth({ db, site }), fix),
  );
  return (await Promise.all(looks)).flat();
}

function health(about: string, all: SourceHealth[], fix: string): Finding[] {
  if (all.length === 0) return [good(about, "no source is named")];
  const failing = all.filter(({ state }) => state === "failing");
  if (failing.length === 0)
    return [good(about, `none of ${formatCount(all.length, "source")} is failing`)];
  const first = failing[0];
  return failing.length === all.length
    ? [
        warning(
          about,
          `No source can be read: ${first?.name} ${first?.cause}.`,
          "Has this machine a connection to the world?",
        ),
      ]
    : [
        warning(
          about,
          `${failing.length} of ${all.length} sources fail: ${formatNames(failing.map(({ id }) => id))}.`,
          fix,
        ),
      ];
}

export async function radio({
  siteFolder,
  config: {
    radio: { upstream },
  },
}: ServerCommandContext): Promise<Finding[]> {
  if (upstream) {
    const port = Number(upstream.port || (upstream.protocol === "https:" ? 443 : 80));
    return (await canConnect(upstream.hostname.replace(/^\[|\]$/g, ""), port))
      ? [good("radio", `the station ${upstream.host} answers`)]
      : [
          bad(
            "radio",
            `The station ${upstream.host} does not answer.`,
            "Check RADIO_UPSTREAM, or ask the station.",
          ),
        ];
  }
  const names = await readdir(join(siteFolder, "radio")).catch(() => []);
  const count = names.filter((name) => name.endsWith(".mp3")).length;
  return count > 0
    ? [good("radio", `${formatCount(count, "file")} in the programme`)]
    : [
        warning(
          "radio",
          "There is nothing to play.",
          "Put MP3 files into the city's folder radio/.",
        ),
      ];
}

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectTimeoutMs });
    const end = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", end(true)).once("error", end(false)).once("timeout", end(false));
  });
}

const formatNames = (names: string[]) =>
  names.length > maxNamed
    ? `${names.slice(0, maxNamed).join(", ")} and ${names.length - maxNamed} more`
    : names.join(", ");

import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { siteSettingsFile } from "../../../app/features/brand/feature.server.ts";
import type { SourceHealth } from "../../../app/lib/external/source-visits.server.ts";
import { bad, type Finding, good, warning } from "../../../app/lib/newsroom/finding.ts";
import { formatCount } from "../../../app/lib/newsroom/printing.ts";
import type { Feature } from "../../../app/platform/feature.ts";
import type { SiteContent } from "../../../app/site-files/site-file.server.ts";
import type { Database } from "../../../db/database.ts";
import { findLeftOut } from "../../radio/playlist.ts";
import type { ServerCommandContext } from "../commands.ts";
import type { CheckReferences } from "../cross-checks.ts";
import { countFiles, readCity } from "../validate.ts";

const connectTimeoutMs = 5_000;
const maxNamesShown = 3;

export async function checkFiles(
  context: ServerCommandContext,
  checkReferences: CheckReferences,
): Promise<Finding> {
  const reports = await readCity(context, checkReferences);
  const invalid = reports.filter(({ problems }) => problems.length > 0).map(({ file }) => file);
  return invalid.length === 0
    ? good(`all ${countFiles(reports)} are valid`)
    : bad(
        `${formatCount(invalid.length, "file has", "files have")} problems: ${formatNames(invalid)}.`,
        'Run "./newsroom validate" to see the lines to correct.',
      );
}

/** Checks the public URL of the site, and whether the proxy settings fit it. */
export function checkAddress(
  { config: { proxies } }: ServerCommandContext,
  site: SiteContent,
): Finding {
  const { origin } = site.read(siteSettingsFile);
  const { hostname, protocol } = new URL(origin);
  if (hostname.endsWith(".example"))
    return warning(
      `${origin} is a sample URL.`,
      "Set the site's own URL in site.yaml before launch.",
    );
  // With https, readers reach the site through a proxy. If its headers are not trusted, forms seem
  // to come from another site.
  return protocol === "https:" && !proxies.exist
    ? warning(
        `The site's URL is ${origin}, but TRUST_PROXY is 0, so forms may be refused.`,
        "If the proxy is on this machine, set TRUST_PROXY=1; otherwise set it to the proxy's IP address.",
      )
    : good(origin);
}

export async function checkSources(
  features: Pick<Feature, "part" | "sources">[],
  { config: { offline }, clock }: ServerCommandContext,
  site: SiteContent,
  db: Database,
): Promise<Finding | Finding[]> {
  if (offline)
    return warning(
      "Feeds, calendars and the weather are not updated because OFFLINE=1 is set.",
      "Remove OFFLINE from the settings.",
    );
  const kinds = features.flatMap(({ part, sources: declared }) =>
    declared && (!part || site.hasPage(`/${part}`)) ? [declared] : [],
  );
  return Promise.all(
    kinds.map(async ({ about, health: findHealth, fix }) => ({
      ...describeHealth(await findHealth({ db, site, clock }), fix),
      about,
    })),
  );
}

function describeHealth(all: SourceHealth[], fix: string): Finding {
  if (all.length === 0) return good("no sources are configured");
  const failing = all.filter(({ state }) => state === "failing");
  if (failing.length === 0) return good(`none of ${formatCount(all.length, "source")} is failing`);
  const first = failing[0];
  return failing.length === all.length
    ? warning(
        `All sources are failing. The first one: ${first?.name} ${first?.cause}.`,
        "Check this machine's internet connection.",
      )
    : warning(
        `${failing.length} of ${all.length} sources are failing: ${formatNames(failing.map(({ id }) => id))}.`,
        fix,
      );
}

export async function checkRadio({
  siteFolder,
  config: {
    radio: { upstream },
  },
}: ServerCommandContext): Promise<Finding> {
  if (upstream) {
    const port = Number(upstream.port || (upstream.protocol === "https:" ? 443 : 80));
    return (await canConnect(upstream.hostname.replace(/^\[|\]$/g, ""), port))
      ? good(`the station ${upstream.host} is reachable`)
      : bad(
          `Could not connect to the station ${upstream.host}.`,
          "Check RADIO_UPSTREAM, or contact the station.",
        );
  }
  const folder = join(siteFolder, "radio");
  const names = await readdir(folder).catch(() => []);
  const leftOut = await findLeftOut(folder);
  const isLeftOut = (name: string) => leftOut.some(({ file }) => file === name);
  const count = names.filter((name) => /\.mp3$/i.test(name) && !isLeftOut(name)).length;
  const [first] = leftOut;
  if (first && count > 0)
    return warning(
      `${formatCount(leftOut.length, "file")} in radio/ cannot be played: ${first.file} ${first.reason}.`,
      'Run "./newsroom validate" to see all of them.',
    );
  return count > 0
    ? good(`${formatCount(count, "track")} in the playlist`)
    : warning("The playlist is empty.", "Put MP3 files into the folder radio/ of the city folder.");
}

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectTimeoutMs });
    const end = (isConnected: boolean) => () => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once("connect", end(true)).once("error", end(false)).once("timeout", end(false));
  });
}

const formatNames = (names: string[]) =>
  names.length > maxNamesShown
    ? `${names.slice(0, maxNamesShown).join(", ")} and ${names.length - maxNamesShown} more`
    : names.join(", ");

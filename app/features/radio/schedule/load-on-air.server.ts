import { clockTime } from "../../../lib/dates.ts";
import { errorFields } from "../../../lib/log.ts";
import type { RadioHistory } from "../../../platform/radio.ts";
import type { PageServices } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { radioFile } from "../files.server.ts";
import { shownTitle } from "../model.ts";
import type { OnAir } from "./model.ts";
import { describePrograms } from "./on-air.server.ts";

/** A page with the titles of the last hour is rendered again after this time. */
const playedFreshMs = 30_000;

/** Loads what is on the air, what comes next, and what was played in the last hour. */
export async function loadOnAir(
  services: Pick<PageServices, "site" | "clock" | "log" | "expireAt"> & { radio: RadioHistory },
): Promise<OnAir> {
  const { site, clock, log, radio, expireAt } = services;
  const { timeZone } = site.read(siteSettingsFile);
  const { station } = site.read(radioFile);
  expireAt(new Date(clock().getTime() + playedFreshMs));
  // The page is useful without the list, for example if the disk cannot be read.
  const played = await radio.readPlayed().catch((error: unknown) => {
    log.warn("radio.played_not_read", errorFields(error));
    return [];
  });
  return {
    ...describePrograms(services),
    played: played.map(({ title, startedAt }) => ({
      time: clockTime(startedAt, timeZone),
      startedAt: startedAt.toISOString(),
      title: shownTitle(title, station),
    })),
  };
}

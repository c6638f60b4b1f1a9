import { addDays, calendarDay, clockTime } from "../../../lib/dates.ts";
import { errorFields } from "../../../lib/log.ts";
import type { PageServices, RadioHistory } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { radioFile } from "../files.server.ts";
import type { BroadcastItem, OnAir } from "../model.ts";
import { radioPath, shownTitle } from "../model.ts";
import {
  type Broadcast,
  capitalize,
  formatHours,
  formatTime,
  listBroadcasts,
  weekdayOf,
} from "./programs.ts";

type RadioServices = Pick<PageServices, "site" | "clock" | "expireAt">;

type OnAirText = {
  station: string;
  /** One or two sentences about the program, or about the station if no program is on. */
  text: string;
};

const maxNextPrograms = 4;

/**
 * Describes the station and its current program for any page, such as the front page. The page
 * expires when the program ends or the next one begins. Null in a city without a radio.
 */
export function describeOnAir(services: RadioServices): OnAirText | null {
  if (!services.site.hasPage(radioPath)) return null;
  const { station, subtitle, nowPlaying } = services.site.read(radioFile);
  const { now } = findBroadcasts(services);
  if (!now) return { station, text: `${subtitle}. ${nowPlaying.text}` };
  const { title, text, end } = now.program;
  const sentences = [`${title}, until ${formatTime(end)}.`, text];
  return { station, text: sentences.filter(Boolean).join(" ") };
}

export function describePrograms(services: RadioServices): Pick<OnAir, "now" | "next"> {
  const { timeZone } = services.site.read(siteSettingsFile);
  const { now, next } = findBroadcasts(services);
  const today = calendarDay(services.clock(), timeZone);
  const toText = (broadcast: Broadcast) => toItem(broadcast, today, timeZone);
  return { now: now ? toText(now) : null, next: next.slice(0, maxNextPrograms).map(toText) };
}

function findBroadcasts({ site, clock, expireAt }: RadioServices): {
  now: Broadcast | undefined;
  next: Broadcast[];
} {
  const { schedule } = site.read(radioFile);
  if (!schedule) return { now: undefined, next: [] };
  const now = clock();
  const broadcasts = listBroadcasts(schedule.programs, now, site.read(siteSettingsFile).timeZone);
  const isOn = ({ startsAt }: Broadcast) => startsAt <= now;
  const current = broadcasts.find(isOn);
  const next = broadcasts.filter((broadcast) => !isOn(broadcast));
  const changesAt = current?.endsAt ?? next[0]?.startsAt;
  if (changesAt) expireAt(changesAt);
  return { now: current, next };
}

function toItem(
  { program, startsAt, endsAt }: Broadcast,
  today: string,
  timeZone: string,
): BroadcastItem {
  const { title, text = null, host = null } = program;
  const day = calendarDay(startsAt, timeZone);
  return {
    title,
    text,
    host,
    day:
      day <= today ? "Today" : day === addDays(today, 1) ? "Tomorrow" : capitalize(weekdayOf(day)),
    hours: formatHours(program),
    startsAt: startsAt.getTime(),
    endsAt: endsAt.getTime(),
  };
}

/** A page with the titles of the last hour is rendered again after this time. */
const playedFreshMs = 30_000;

export async function loadOnAir(
  services: RadioServices & Pick<PageServices, "log"> & { radio: RadioHistory },
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

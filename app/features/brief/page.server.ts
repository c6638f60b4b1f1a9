import {
  addDays,
  calendarDay,
  clockTime,
  instantAt,
  longMonth,
  nextMidnight,
} from "../../lib/dates.ts";
import type { PageServices } from "../../platform/services.ts";
import { listAlertsBetween } from "../alerts/pages/page.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { describeOnAir } from "../radio/schedule/on-air.server.ts";
import { briefFile } from "./files.server.ts";
import { type Brief, findDueDay, nextBriefAt } from "./model.ts";
import type { BriefArchive } from "./pages/archive-page.tsx";
import type { BriefPageContent } from "./pages/brief-page.tsx";
import {
  findBrief,
  findLatestBrief,
  findNeighborDays,
  isBriefRemoved,
  listBriefMonths,
  listBriefsOfMonth,
} from "./read.server.ts";

export async function readBriefPage(
  services: PageServices,
  day: string,
): Promise<BriefPageContent | null> {
  const brief = await findBrief(services, day);
  if (!brief) return null;
  return toPage(services, brief, { notice: null, onAir: null });
}

/** The page of the latest brief. `brief` is null before the first. */
export async function readLatestBriefPage(services: PageServices) {
  const { site, clock, expireAt } = services;
  const { timeZone } = site.read(siteSettingsFile);
  const now = clock();
  // At midnight, the latest brief is that of yesterday, which the page has to say. Nothing expires
  // at seven, because the new brief purges the page, and if it cannot be made, readers still have
  // the earlier one.
  expireAt(nextMidnight(now, timeZone));
  const brief = await findLatestBrief(services);
  const today = calendarDay(now, timeZone);
  const notice = brief?.day === today ? null : await describeNext(services, now, today);
  const { heading, intro } = site.read(briefFile);
  return {
    heading,
    intro,
    notice,
    page:
      brief &&
      (await toPage(services, brief, {
        notice: notice && `This is the latest brief. ${notice}`,
        onAir: describeOnAir(services),
      })),
  };
}

/** A sentence about the brief of today, which does not exist yet. Null if it was removed. */
async function describeNext(services: PageServices, now: Date, today: string) {
  const { timeZone } = services.site.read(siteSettingsFile);
  if (await isBriefRemoved(services, today)) return null;
  return findDueDay(now, timeZone) === null
    ? `The brief of today appears at ${clockTime(nextBriefAt(now, timeZone), timeZone)}.`
    : "There is no brief of today yet. It appears as soon as it is made.";
}

async function toPage(
  services: PageServices,
  brief: Brief,
  { notice, onAir }: Pick<BriefPageContent, "notice" | "onAir">,
): Promise<BriefPageContent> {
  const { site } = services;
  const { origin, network, timeZone } = site.read(siteSettingsFile);
  const { heading, intro } = site.read(briefFile);
  const midnight = (day: string) => instantAt(day, "00:00", timeZone);
  return {
    heading,
    intro,
    brief,
    origin,
    notice,
    ...(await findNeighborDays(services, brief.day)),
    onAir,
    signature: network.name,
    alerts: await listAlertsBetween(services, midnight(brief.day), midnight(addDays(brief.day, 1))),
  };
}

/** The briefs of a month; of the latest month if `requested` has none. */
export async function readBriefArchive(
  services: PageServices,
  requested: string | null,
): Promise<BriefArchive> {
  const months = await listBriefMonths(services);
  const month = months.find((each) => each === requested) ?? months[0];
  const { heading: name, intro } = services.site.read(briefFile);
  const toChoice = (value: string) => ({ value, label: longMonth(value) });
  return {
    name,
    heading: `${name}: earlier days`,
    intro,
    origin: services.site.read(siteSettingsFile).origin,
    month: month === undefined ? null : toChoice(month),
    months: months.map(toChoice),
    briefs: month === undefined ? [] : await listBriefsOfMonth(services, month),
  };
}

import { addDays, calendarDay, instantAt, longDate } from "../../lib/dates.ts";
import type { PageServices, Services } from "../../platform/services.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { communityFile, type Listing } from "./files.server.ts";

const readToday = ({ site, clock }: Pick<Services, "site" | "clock">) => {
  const { timeZone } = site.read(siteSettingsFile);
  return { today: calendarDay(clock(), timeZone), timeZone };
};

/**
 * The listings that have not ended: those that end first, then the others in the order of the file.
 */
export function selectListings<T extends Listing>(
  services: Pick<Services, "site" | "clock">,
  listings: T[],
): T[] {
  const { today } = readToday(services);
  const forever = "9999";
  return listings
    .filter(({ until = forever }) => until >= today)
    .toSorted((one, other) => (one.until ?? forever).localeCompare(other.until ?? forever));
}

/** The listings of a page, which expires at the midnight after the first of them ends. */
export function showListings<T extends Listing>(
  services: Pick<PageServices, "site" | "clock" | "expireAt">,
  listings: T[],
) {
  const { today, timeZone } = readToday(services);
  return selectListings(services, listings).map(({ until, checked, ...listing }) => {
    if (until) services.expireAt(instantAt(addDays(until, 1), "00:00", timeZone));
    return { ...listing, note: describeDates({ until, checked }, today) };
  });
}

/** Says when a listing ends and when its link was checked, with the year if it is another one. */
function describeDates({ until, checked }: Listing, today: string): string | null {
  const show = (day: string) =>
    day.slice(0, 4) === today.slice(0, 4) ? longDate(day).replace(/, \d+$/, "") : longDate(day);
  const parts = [until && `Until ${show(until)}`, checked && `Checked ${show(checked)}`];
  return parts.filter(Boolean).join(" · ") || null;
}

/** How many days before a listing ends an editor is reminded. */
const reminderDays = 7;

/** The listings that end within a week. */
export function listEnding(services: Pick<Services, "site" | "clock">) {
  const { today } = readToday(services);
  const { volunteer, resources } = services.site.read(communityFile);
  const all = [
    ...volunteer.items.map(({ title, until }) => ({ title, until })),
    ...resources.groups.flatMap(({ links }) =>
      links.map(({ label, until }) => ({ title: label, until })),
    ),
  ];
  return all.flatMap(({ title, until }) =>
    until && until > today && until <= addDays(today, reminderDays) ? [{ title, until }] : [],
  );
}

import { readSharedOr } from "../../../db/shared-reads.ts";
import { addDays, calendarDay, instantAt, longDate } from "../../lib/dates.ts";
import type { PageScope, PageServices, Services } from "../../platform/services.ts";
import { cacheTags } from "../../platform/tags.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { communityFile, type Listing } from "./files.server.ts";
import { type OwnListing, ownListings } from "./own-listings.server.ts";

const readToday = ({ site, clock }: Pick<Services, "site" | "clock">) => {
  const { timeZone } = site.read(siteSettingsFile);
  return { today: calendarDay(clock(), timeZone), timeZone };
};

const noListings: OwnListing[] = [];

/** The listings of the file, followed by those that editors wrote. */
export async function readListings({
  site,
  db,
  tags,
}: Pick<Services, "site" | "db"> & Partial<PageScope>) {
  tags?.add(cacheTags.community);
  const { volunteer, resources } = site.read(communityFile);
  const own = (await readSharedOr(db, ownListings, noListings)).map(
    ({ until, checked, ...listing }) => ({
      ...listing,
      until: until ?? undefined,
      checked: checked ?? undefined,
    }),
  );
  const ownGroups = Map.groupBy(own, ({ group }) => group);
  const names = [...resources.groups.map(({ name }) => name), ...ownGroups.keys()];
  return {
    volunteer: [
      ...volunteer.items,
      ...(ownGroups.get("") ?? []).map(({ group: _group, createdAt: _at, text, ...item }) => ({
        ...item,
        description: text,
      })),
    ],
    /** A group that the file no longer has is shown as long as it has listings. */
    groups: [...new Set(names)]
      .filter((name) => name !== "")
      .map((name) => ({
        name,
        links: [
          ...(resources.groups.find((group) => group.name === name)?.links ?? []).map((link) => ({
            ...link,
            id: link.url,
          })),
          ...(ownGroups.get(name) ?? []).map(({ id, title, link, text, until, checked }) => ({
            id,
            label: title,
            url: link,
            text,
            until,
            checked,
          })),
        ],
      })),
  };
}

/** Sorts after every last day, which is at most 20 years away. */
const noLastDay = "9999";

/** The listings that have not ended: those that end first, then the others in their order. */
export function selectListings<T extends Listing>(
  services: Pick<Services, "site" | "clock">,
  listings: T[],
): T[] {
  const { today } = readToday(services);
  return listings
    .filter(({ until = noLastDay }) => until >= today)
    .toSorted((one, other) => (one.until ?? noLastDay).localeCompare(other.until ?? noLastDay));
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
  const isChecked = checked !== undefined && checked <= today;
  const parts = [until && `Until ${show(until)}`, isChecked && `Checked ${show(checked)}`];
  return parts.filter(Boolean).join(" · ") || null;
}

/** How many days before a listing ends an editor is reminded. */
const reminderDays = 7;

export async function listEnding(services: Pick<Services, "site" | "clock" | "db">) {
  const { today } = readToday(services);
  const { volunteer, groups } = await readListings(services);
  const links = groups.flatMap((group) => group.links);
  const all = [...volunteer, ...links.map(({ label, ...link }) => ({ ...link, title: label }))];
  return all.flatMap(({ id, title, until }) =>
    until && until > today && until <= addDays(today, reminderDays) ? [{ id, title, until }] : [],
  );
}

import { readSharedOr } from "../../../db/shared-reads.ts";
import { addDays, calendarDay, instantAt, longDate } from "../../lib/dates.ts";
import type { PageScope, PageServices, Services } from "../../platform/services.ts";
import { cacheTags } from "../../platform/tags.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { type Community, communityFile, type Listing } from "./files.server.ts";
import { type OwnListing, ownListings } from "./own-listings.server.ts";

const readToday = ({ site, clock }: Pick<Services, "site" | "clock">) => {
  const { timeZone } = site.read(siteSettingsFile);
  return { today: calendarDay(clock(), timeZone), timeZone };
};

const noListings: OwnListing[] = [];

type CommunityLink = Community["resources"]["groups"][number]["links"][number];

/** The listings of the file, followed by those that editors wrote. */
export async function readListings({
  site,
  db,
  tags,
}: Pick<Services, "site" | "db"> & Partial<PageScope>) {
  tags?.add(cacheTags.community);
  const { volunteer, resources } = site.read(communityFile);
  const own = await readSharedOr(db, ownListings, noListings);
  const ownOf = (name: string) =>
    own
      .filter(({ group }) => group === name)
      .map(({ group: _group, createdAt: _at, until, checked, ...listing }) => ({
        ...listing,
        until: until ?? undefined,
        checked: checked ?? undefined,
      }));
  const toListing = ({ label: title, url: link, ...listing }: CommunityLink) => ({
    ...listing,
    id: link,
    title,
    link,
    organization: "",
    commitment: "",
  });
  const groups = new Map(resources.groups.map(({ name, links }) => [name, links]));
  // A group that was removed from community.yaml is shown as long as it has listings of editors.
  for (const { group } of own) if (group !== "" && !groups.has(group)) groups.set(group, []);
  return {
    volunteer: [
      ...volunteer.items.map(({ description: text, ...item }) => ({ ...item, text })),
      ...ownOf(""),
    ],
    groups: [...groups].map(([name, links]) => ({
      name,
      links: [...links.map(toListing), ...ownOf(name)],
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
  const all = [...volunteer, ...groups.flatMap(({ links }) => links)];
  return all.flatMap(({ id, title, until }) =>
    until && until > today && until <= addDays(today, reminderDays) ? [{ id, title, until }] : [],
  );
}

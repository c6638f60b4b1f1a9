import { createHash } from "node:crypto";
import { and, inArray, ne, notInArray, type SQL, sql } from "drizzle-orm";
import { type PgColumn, unionAll } from "drizzle-orm/pg-core";
import { isAnyOf } from "../../../../db/bulk.ts";
import type { Database } from "../../../../db/database.ts";
import { calendarDay, daysBefore, shortTimestamp } from "../../../lib/dates.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import { noPage } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import { type CityEvent, eventPath } from "../../events/listing/city-event.ts";
import { createEventLookup, eventsWithin } from "../../events/listing/gather.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { storySubmissions } from "../../stories/schema.server.ts";
import type { DeskServices } from "../services.ts";
import { isIn, type Submission, tables } from "./list.server.ts";
import type { Remark, SubmissionKind } from "./model.ts";

/** Messages with this many links are often spam. */
const manyLinks = 3;
/** A shorter text in capitals may be an abbreviation. */
const minLetters = 20;
const maxCapitals = 0.7;
/** How much of the words of two titles must be the same for events that look the same. */
const minSharedWords = 0.5;
const noticedFromNetwork = 3;

export type CheckedItem = Submission & {
  remarks: Remark[];
  /** How much else the same network sent on that day. Empty if a remark says it. */
  networkNote: string;
};

/**
 * Adds remarks about each item for the editor. They decide nothing and are not stored: they are
 * computed when the page is shown.
 */
export async function checkItems(
  services: DeskServices,
  items: Submission[],
): Promise<CheckedItem[]> {
  const { db, clock, site } = services;
  const { timeZone } = site.read(siteSettingsFile);
  const repeated = await countRepeated(db, items);
  const fromVisitors = await countOfVisitors(db, items);
  const listed = await findListed(services, items);
  return items.map((item) => {
    const others = (fromVisitors.get(item.visitorHash) ?? 0) - 1;
    const same = findSame(item, listed, timeZone);
    const sent = repeated.get(`${item.kind} ${hashText(item)}`);
    const remarks = listRemarks(item, { others, same, sent, timeZone, now: clock() });
    return { ...item, remarks, networkNote: describeNetwork(others) };
  });
}

type Repeated = { count: number; first: Date };

type Facts = {
  /** How many other items came from the item's visitor. -1 if the hash was deleted. */
  others: number;
  same: CityEvent | undefined;
  sent: Repeated | undefined;
  timeZone: string;
  now: Date;
};

function listRemarks(
  { title, text, images, event }: Submission,
  { others, same, sent, timeZone, now }: Facts,
): Remark[] {
  const remarks: Remark[] = [];
  if (sent && sent.count > 1)
    remarks.push({
      label: `Sent ${sent.count} times`,
      why: `The same text arrived ${sent.count} times, first on ${shortTimestamp(sent.first, timeZone)}.`,
      isSuspicious: true,
    });
  if (others >= noticedFromNetwork)
    remarks.push({
      label: `${others} others from its network`,
      why: "They came on the same day. Programs that send spam do that, and schools and libraries may.",
      isNeutral: true,
    });
  const links = text.match(/https?:\/\/|\bwww\./gi)?.length ?? 0;
  if (links >= manyLinks)
    remarks.push({
      label: formatCount(links, "link"),
      why: `It contains ${links} links, as spam often does.`,
      isSuspicious: true,
    });
  const letters = `${title} ${text}`.match(/\p{L}/gu) ?? [];
  const capitals = letters.filter((letter) => letter !== letter.toLowerCase()).length;
  if (letters.length >= minLetters && capitals / letters.length >= maxCapitals)
    remarks.push({
      label: "All capitals",
      why: "Most of it is in capitals, which is hard to read.",
      isSuspicious: true,
    });
  const undescribed = images.filter(({ alt }) => alt === "").length;
  if (undescribed > 0)
    remarks.push({
      label: "No image description",
      why: `${formatCount(undescribed, "image has", "images have")} no description. Readers who cannot see need one.`,
    });
  if (same)
    remarks.push({
      label: "Listed already",
      why: `It looks like “${same.title}” (${same.location}), which is on the site for the same day.`,
      link: eventPath(same),
    });
  if (event && event.endsAt < now)
    remarks.push({ label: "Over", why: "The event has already taken place." });
  return remarks;
}

/** `others` is -1 if the hash of the visitor was deleted after an approval. */
function describeNetwork(others: number): string {
  if (others < 0 || others >= noticedFromNetwork) return "";
  return others === 0
    ? "Nothing else came from its network on that day."
    : `${formatCount(others, "other")} came from its network on that day.`;
}

/** Finds an event on the site that is probably the same one. */
function findSame({ id, event }: Submission, listed: CityEvent[], timeZone: string) {
  if (!event) return undefined;
  const words = titleWords(event.title);
  const day = (instant: Date) => calendarDay(instant, timeZone);
  return listed.find((other) => {
    if (other.id === id || day(other.startsAt) !== day(event.startsAt)) return false;
    const otherWords = titleWords(other.title);
    const shared = words.intersection(otherWords).size;
    return shared / words.union(otherWords).size >= minSharedWords;
  });
}

const titleWords = (title: string) => new Set(title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [""]);

/** The events of the site around the days of the events that readers sent. */
async function findListed(
  { db, clock, site }: DeskServices,
  items: Submission[],
): Promise<CityEvent[]> {
  const starts = items.flatMap(({ event }) => (event ? event.startsAt.getTime() : []));
  if (starts.length === 0) return [];
  const lookup = createEventLookup({ db, clock, site, ...noPage });
  return eventsWithin(lookup, {
    from: daysBefore(new Date(Math.min(...starts)), 1),
    until: daysBefore(new Date(Math.max(...starts)), -1),
  });
}

/** Many events have the same few words as their description, so their titles count too. */
const hashText = ({ kind, title, text }: Submission) =>
  createHash("md5")
    .update(kind === "event" ? `${title}\n${text}` : text)
    .digest("hex");

const texts: Record<SubmissionKind, PgColumn | SQL> = {
  story: storySubmissions.text,
  event: sql`${eventSubmissions.title} || chr(10) || ${eventSubmissions.description}`,
  message: contactMessages.message,
};

/** How often the texts of these items were sent, by kind and hash. */
async function countRepeated(db: Database, items: Submission[]): Promise<Map<string, Repeated>> {
  const counts = new Map<string, Repeated>();
  for (const [kind, ofKind] of Map.groupBy(items, (item) => item.kind)) {
    const table = tables[kind];
    const hash: SQL<string> = sql`md5(${texts[kind]})`;
    const rows = await db
      .select({
        hash,
        count: sql`count(*)`.mapWith(Number),
        first: sql`min(${table.createdAt})`.mapWith((time: Date | string) => new Date(time)),
      })
      .from(table)
      .where(sql`${hash} = any(${sql.param(ofKind.map(hashText))}::text[])`)
      .groupBy(hash);
    for (const { hash, ...repeated } of rows) counts.set(`${kind} ${hash}`, repeated);
  }
  return counts;
}

/** How much these visitors sent. A visitor has another hash on every day. */
async function countOfVisitors(db: Database, items: Submission[]): Promise<Map<string, number>> {
  const hashes = [...new Set(items.map((item) => item.visitorHash))].filter(Boolean);
  const counts = new Map<string, number>();
  if (hashes.length === 0) return counts;
  for (const table of Object.values(tables)) {
    const rows = await db
      .select({ hash: table.visitorHash, count: sql`count(*)`.mapWith(Number) })
      .from(table)
      .where(isAnyOf(table.visitorHash, hashes))
      .groupBy(table.visitorHash);
    for (const { hash, count } of rows) counts.set(hash, (counts.get(hash) ?? 0) + count);
  }
  return counts;
}

/**
 * Deletes the hashes of the visitors of published stories and events. As long as something of a
 * visitor waits, its hashes stay, because the editors see how much came from there.
 */
export async function deleteVisitorHashes(db: Database): Promise<number> {
  const select = (kind: SubmissionKind) =>
    db.select({ hash: tables[kind].visitorHash }).from(tables[kind]).where(isIn("waiting", kind));
  const waiting = unionAll(select("story"), select("event"), select("message"));
  let count = 0;
  for (const table of [storySubmissions, eventSubmissions]) {
    const { id, visitorHash, state } = table;
    const deleted = await db
      .update(table)
      .set({ visitorHash: "" })
      .where(
        and(
          ne(visitorHash, ""),
          inArray(state, ["approved", "down", "draft"]),
          notInArray(visitorHash, waiting),
        ),
      )
      .returning({ id });
    count += deleted.length;
  }
  return count;
}

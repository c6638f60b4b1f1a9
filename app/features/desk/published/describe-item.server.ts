import { describeDates, showDateAndTime } from "../../../lib/article-dates.ts";
import { calendarDay, longDate, shortTimestamp } from "../../../lib/dates.ts";
import { htmlToLine } from "../../../lib/text/plain-text.server.ts";
import { truncateAtWord } from "../../../lib/text/truncate-at-word.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { DeskItem } from "../kinds/kind.ts";
import { deskKinds } from "../kinds/kinds.server.ts";
import { listVersions } from "../kinds/versions.server.ts";
import type { DeskServices, WriteDesk } from "../services.ts";
import { lockDraftOf } from "../write/draft-of-item.server.ts";
import type { DraftFields } from "../write/model.ts";

export type DescribedItem = ReturnType<typeof describeItem>;

export function describeItem(services: DeskServices, item: DeskItem) {
  const { timeZone } = services.site.read(siteSettingsFile);
  const { facts, dates, scheduledFor, deletedAt, corrections, entries = [], ...shown } = item;
  const date = dates && showDateAndTime(dates.date, timeZone).text;
  return {
    ...shown,
    facts: joinFacts([...facts, date ?? ""]),
    scheduledFor: scheduledFor && shortTimestamp(scheduledFor, timeZone),
    corrections: corrections?.map(({ date, text }) => ({
      date: showDateAndTime(date, timeZone).text,
      text,
    })),
    entries: entries.map(({ key, time, title, html }) => ({
      key,
      time,
      title,
      line: truncateAtWord(htmlToLine(html), 120),
    })),
    update: describeUpdate(services, item),
    deletedOn: deletedAt && longDate(calendarDay(deletedAt, timeZone)),
  };
}

export function describeEntry({ entries = [] }: DeskItem, key: string) {
  const entry = entries.find((each) => each.key === key);
  return { key, entry: entry ? { time: entry.time, title: entry.title, text: entry.text } : null };
}

const joinFacts = (facts: string[]) => facts.filter((fact) => fact !== "").join(" · ");

/** What readers see about the last change of the text. */
function describeUpdate(
  { site, clock }: DeskServices,
  { kind, state, dates, corrections = [] }: DeskItem,
): string | null {
  if (state !== "published" || !dates?.updated) return null;
  const { timeZone } = site.read(siteSettingsFile);
  const written = { ...dates, corrections };
  const shown = describeDates(written, timeZone, clock(), { showTime: kind === "story" });
  return shown?.updated
    ? `Readers see “Updated ${shown.updated.text}”.`
    : "Readers do not see “Updated”, because the text changed within an hour of its publication.";
}

export type DescribedVersions = Awaited<ReturnType<typeof describeVersions>>;

/** Prepares the versions of an item for their page. `wanted` is the number of the shown one. */
export async function describeVersions(
  services: DeskServices,
  item: DeskItem & { rowId: string },
  wanted: number,
) {
  const { kind, slug, rowId, title, state } = item;
  const { timeZone } = services.site.read(siteSettingsFile);
  const versions = await listVersions(services.db, { kind, rowId });
  const shown = versions.find(({ number }) => number === wanted);
  return {
    kind,
    slug,
    title,
    state,
    versions: versions.map(({ number, action, editorName, at }) => ({
      number,
      action,
      editorName,
      time: shortTimestamp(at, timeZone),
    })),
    shown: shown
      ? { ...describeVersion(shown.fields), number: shown.number, isNewest: shown === versions[0] }
      : null,
  };
}

/** A kind of item leaves the fields empty that it does not have. */
function describeVersion({ title, excerpt, text, day, starts, ends, ...fields }: DraftFields) {
  const time = [starts, ends].filter(Boolean).join("–");
  const { location, category, authors, free, url } = fields;
  const facts = joinFacts([day, time, location, category, authors, free ? "Free" : "", url]);
  return { title, excerpt, text, facts };
}

/**
 * Makes an earlier version of an item the current one. Later corrections stay, because readers have
 * seen them, and so do the pin, live updates, and whether readers see the item.
 */
export async function restoreVersion(
  desk: WriteDesk,
  { kind, rowId }: DeskItem & { rowId: string },
  number: number,
): Promise<{ kind: "restored" } | { kind: "missing" } | { kind: "refused"; message: string }> {
  const versions = await listVersions(desk.db, { kind, rowId });
  const version = versions.find((each) => each.number === number);
  if (!version) return { kind: "missing" };
  const { prepare, lock } = deskKinds[kind];
  const publish = await prepare(desk, { id: crypto.randomUUID(), ...version }, desk.clock());
  return desk.db.transaction(async (tx) => {
    await lockDraftOf(tx, kind, rowId);
    const now = await lock(desk, tx, rowId);
    if (!now) return { kind: "missing" };
    const { corrections, isPinned, isLive } = now.fields;
    const result = await publish(tx, {
      rowId,
      fields: { ...version.fields, corrections, isPinned, isLive },
      state: now.state,
      action: `restored version ${number} of`,
    });
    if (result.kind === "published") return { kind: "restored" };
    const [problem] = Object.values(result.errors);
    return { kind: "refused", message: `This version can no longer be published. ${problem}` };
  });
}

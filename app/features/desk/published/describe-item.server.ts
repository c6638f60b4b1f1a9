import { describeDates, showDateAndTime } from "../../../lib/article-dates.ts";
import { calendarDay, longDate, shortTimestamp } from "../../../lib/dates.ts";
import { htmlToLine } from "../../../lib/text/plain-text.server.ts";
import { truncateAtWord } from "../../../lib/text/truncate-at-word.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { DeskItem } from "../kinds/kind.ts";
import { deskKinds } from "../kinds/kinds.server.ts";
import { listVersions } from "../kinds/versions.server.ts";
import type { DeskServices, WriteDesk } from "../services.ts";

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
  const texts = shown && deskKinds[kind].showVersion(shown.fields);
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
    shown:
      shown && texts
        ? {
            ...texts,
            facts: joinFacts(texts.facts),
            number: shown.number,
            isNewest: shown === versions[0],
          }
        : null,
  };
}

/** Makes an earlier version of an item the current one. */
export async function restoreVersion(
  desk: WriteDesk,
  { kind, rowId }: DeskItem & { rowId: string },
  number: number,
): Promise<{ kind: "restored" } | { kind: "missing" } | { kind: "refused"; message: string }> {
  const versions = await listVersions(desk.db, { kind, rowId });
  const version = versions.find((each) => each.number === number);
  if (!version) return { kind: "missing" };
  const action = `restored version ${number} of` as const;
  const message = await deskKinds[kind].restore(desk, rowId, version.fields, action);
  return message === null ? { kind: "restored" } : { kind: "refused", message };
}

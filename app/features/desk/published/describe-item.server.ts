import { describeDates, showDateAndTime } from "../../../lib/article-dates.ts";
import { calendarDay, longDate, shortTimestamp } from "../../../lib/dates.ts";
import { htmlToLine } from "../../../lib/text/plain-text.server.ts";
import { truncateAtWord } from "../../../lib/text/truncate-at-word.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { DeskItem } from "../kinds/kind.ts";
import { deskKinds } from "../kinds/kinds.server.ts";
import { listVersions } from "../kinds/versions.server.ts";
import { readNotice } from "../log/log.server.ts";
import type { LogAction } from "../schema.server.ts";
import type { Desk, DeskServices, WriteDesk } from "../services.ts";
import { logIdOf } from "./model.ts";

export type DescribedItem = Awaited<ReturnType<typeof describeItem>>;

export async function describeItem(services: Desk, item: DeskItem) {
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
    notice: await readItemNotice(services, item),
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

const sentences: Partial<Record<LogAction, string>> = {
  corrected: "You published the correction.",
  pinned: "You pinned it to the front page.",
  unpinned: "You unpinned it from the front page.",
  "began live updates of": "It is live now. Readers see each entry as soon as you publish it.",
  "ended live updates of": "You ended it. Its page says that it is no longer updated.",
  "added an entry to": "You published the entry.",
  "edited an entry of": "You published the new text of the entry.",
  "deleted an entry of": "You deleted the entry. The versions still have it.",
  "took down": "You took it down.",
  "published again": "You published it again.",
  unpublished: "You made it a draft again.",
  published: "You published it.",
  updated: "You published the new text.",
};

const readItemNotice = (desk: Desk, item: DeskItem) => {
  const wanted = { items: [logIdOf(item)], kinds: [item.kind] };
  return readNotice(desk, wanted, ({ action, note }) => {
    const [, version] = /^restored version (\d+)/.exec(action) ?? [];
    if (version) return `You restored version ${version}.`;
    if (action === "renamed") return `You renamed it: ${note}. Old links lead to the new path.`;
    return sentences[action];
  });
};

export type DescribedVersions = Awaited<ReturnType<typeof describeVersions>>;

/** Prepares the versions of an item for their page. `wanted` is the number of the shown one. */
export async function describeVersions(
  services: Desk,
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
    notice: await readItemNotice(services, item),
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

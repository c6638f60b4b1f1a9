import { createHash } from "node:crypto";
import { clockTime, instantAt, localTimestamp, longDate } from "../../../lib/dates.ts";
import { escapeHtml } from "../../../lib/text/html.ts";
import { htmlToLine } from "../../../lib/text/plain-text.server.ts";
import type { LiveStory } from "../model.ts";

/** "14:05 Title", "2:05 PM Title", "2026-11-19 09:10: Title". The title may be missing. */
const entryHeading =
  /^(?:(20\d\d-\d\d-\d\d) )?([01]?\d|2[0-3]):([0-5]\d)(?: ?([ap])\.?m\b\.?)?[\s:–—-]*(.*)$/i;

export type LiveRecord = LiveStory & {
  /** The whole text, the newest entry first, for feeds and search. */
  html: string;
  /** When the newest entry was written, in the format of dates in files: 2026-11-18 14:05. */
  lastWritten: string | null;
};

type Source = {
  title: string;
  html: string;
  /** True while entries are added, false when the story is over, null for an ordinary story. */
  live: boolean | null;
  day: string;
};

/**
 * The text before the first entry is the summary, and each heading that begins with a time begins
 * an entry. An entry without a date is of the story's own day. The text may have its entries in any
 * order; of those of the same minute, the last is the newest. Null if it is an ordinary story.
 */
export function readLiveStory(
  { title: storyTitle, html: text, live, day: storyDay }: Source,
  timeZone: string,
): LiveRecord | null {
  if (live === null) return null;
  const starts = [...text.matchAll(/<h2 id="[^"]*">(.*?)<\/h2>/gs)].flatMap((heading) => {
    const entry = readHeading(htmlToLine(heading[1] ?? ""), storyDay);
    return entry ? [{ index: heading.index, ...entry }] : [];
  });
  const [first] = starts;
  if (!live && !first) return null;
  const used = new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id));
  const entries = starts
    .map(({ index, day, time, title }, position) => {
      const at = instantAt(day, time, timeZone);
      const body = text.slice(index, starts[position + 1]?.index);
      return {
        id: toEntryId(day === storyDay ? time : `${day} ${time}`, used),
        title,
        at,
        written: `${day} ${time}`,
        time: { iso: localTimestamp(at, timeZone), text: showTime(at, day, storyDay, timeZone) },
        html: body.slice(body.indexOf("</h2>") + "</h2>".length),
      };
    })
    .reverse()
    .sort((one, other) => other.at.getTime() - one.at.getTime());
  const summary = first ? text.slice(0, first.index) : text;
  const html = [
    summary,
    ...entries.map(
      ({ id, title, time, html }) =>
        `<h2 id="${id}">${escapeHtml([time.text, title].filter(Boolean).join(": "))}</h2>${html}`,
    ),
  ].join("\n");
  const version = createHash("sha256").update(`${live} ${storyTitle} ${html}`).digest("hex");
  return {
    isLive: live,
    version: version.slice(0, 16),
    summary,
    entries: entries.map(({ id, title, time, html }) => ({ id, title, time, html })),
    html,
    lastWritten: entries[0]?.written ?? null,
  };
}

/** The entry that a heading begins. Null if it is an ordinary heading. */
function readHeading(text: string, storyDay: string) {
  const [, ownDay, hour, minute, half, title = ""] = entryHeading.exec(text) ?? [];
  const day = ownDay ?? storyDay;
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0) : Number(hour);
  const time = `${String(hours).padStart(2, "0")}:${minute}`;
  const isEntry = hour !== undefined && !Number.isNaN(Date.parse(day));
  return isEntry ? { day, time, title } : null;
}

function showTime(at: Date, day: string, storyDay: string, timeZone: string): string {
  const time = clockTime(at, timeZone);
  return day === storyDay ? time : `${longDate(day)}, ${time}`;
}

/** An entry as editors write it in the text of a story. It always names its day. */
export function writeEntry(
  { title, text }: { title: string; text: string },
  at: Date,
  timeZone: string,
): string {
  const time = localTimestamp(at, timeZone).slice(0, 16).replace("T", " ");
  // With the colon, a title such as "AM radio is back" is not read as a part of the time.
  return `## ${[time, title].filter(Boolean).join(": ")}\n\n${text}`;
}

export const appendEntry = (text: string, entry: string) => `${text.trimEnd()}\n\n${entry}`;

/** An entry as it is written in the text of a story, from `start` to `end`. */
type WrittenEntry = {
  /** A hash of the entry, so it changes when somebody edits the entry. */
  key: string;
  at: Date;
  time: string;
  title: string;
  /** Markdown. */
  text: string;
  /** The whole entry as Markdown, with its heading. */
  source: string;
  start: number;
  end: number;
};

/** Matches a block of code: the line that begins it, the lines in it, and the line that ends it. */
const codeBlock = /^ {0,3}(`{3,}(?!.*`)|~{3,}).*(?:\n(?! {0,3}\1[`~]*[ \t]*$).*)*(?:\n.*)?/gm;

export function findEntries(text: string, storyDay: string, timeZone: string): WrittenEntry[] {
  const withoutCode = text.replace(codeBlock, (code) => " ".repeat(code.length));
  const headings = [...withoutCode.matchAll(/^ {0,3}##[ \t](.*)$/gm)].flatMap((heading) => {
    const entry = readHeading(heading[1]?.trim() ?? "", storyDay);
    const { index: start } = heading;
    return entry ? [{ ...entry, start, textStart: start + heading[0].length }] : [];
  });
  return headings.map(({ day, time, title, start, textStart }, position) => {
    const end = headings[position + 1]?.start ?? text.length;
    const at = instantAt(day, time, timeZone);
    const source = text.slice(start, end).trim();
    return {
      key: createHash("sha256").update(source).digest("hex").slice(0, 24),
      at,
      time: showTime(at, day, storyDay, timeZone),
      title,
      text: text.slice(textStart, end).trim(),
      source,
      start,
      end,
    };
  });
}

/**
 * Newest first. Empty if the headings in the Markdown are not the entries that readers see, for
 * example because one of them is in a list.
 */
export function listEntries({ text, ...source }: Source & { text: string }, timeZone: string) {
  const shown = readLiveStory(source, timeZone)?.entries ?? [];
  const written = findEntries(text, source.day, timeZone)
    .reverse()
    .sort((one, other) => other.at.getTime() - one.at.getTime());
  const entries = shown.flatMap(({ time, html }, index) => {
    const entry = written[index];
    return entry?.time === time.text ? [{ ...entry, html }] : [];
  });
  return entries.length === written.length && entries.length === shown.length ? entries : [];
}

export const replaceEntry = (text: string, { start, end }: WrittenEntry, entry: string | null) =>
  [text.slice(0, start).trimEnd(), entry ?? "", text.slice(end).trim()]
    .filter(Boolean)
    .join("\n\n");

/**
 * The id stays the same when titles are corrected and when later entries are added, so links keep
 * working. `used` also has the ids of other headings.
 */
function toEntryId(time: string, used: Set<string>): string {
  const first = `at-${time.replaceAll(/\D+/g, "-")}`;
  let id = first;
  for (let count = 2; used.has(id); count += 1) id = `${first}-${count}`;
  used.add(id);
  return id;
}

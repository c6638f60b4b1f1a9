import { createHash } from "node:crypto";
import { clockTime, instantAt, localTimestamp, longDate } from "../../../lib/dates.ts";
import { escapeHtml } from "../../../lib/text/html.ts";
import type { StoryFile } from "../files.server.ts";
import type { LiveStory } from "../model.ts";

/** "14:05 Title", "2:05 PM Title", "2026-11-19 09:10: Title". The title may be missing. */
const entryHeading =
  /^(?:(20\d\d-\d\d-\d\d) )?([01]?\d|2[0-3]):([0-5]\d)(?: ?([ap])\.?m\b\.?)?[\s:–—-]*(.*)$/i;

export type LiveRecord = LiveStory & {
  /** The whole text, the newest entry first, for feeds and search. */
  html: string;
  /** When the newest entry was written, as dates in files are: 2026-11-18 14:05. */
  lastWritten: string | null;
};

/**
 * Reads a live story: the text before the first entry is its summary, and each heading that begins
 * with a time begins an entry. An entry without a date is of the story's own day. The file may have
 * its entries in any order. Null if it is an ordinary story.
 */
export function readLiveStory(file: StoryFile, timeZone: string): LiveRecord | null {
  const { live, date } = file.front;
  if (live === undefined) return null;
  const storyDay = date.slice(0, 10);
  const starts = file.headings.flatMap(({ id, text }) => {
    const [, day = storyDay, hour, minute, half, title = ""] = entryHeading.exec(text) ?? [];
    const tag = `<h2 id="${id}">`;
    const index = file.html.indexOf(tag);
    if (hour === undefined || index < 0) return [];
    const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0) : Number(hour);
    return { index, day, time: `${String(hours).padStart(2, "0")}:${minute}`, title };
  });
  const [first] = starts;
  if (!live && !first) return null;
  const used = new Map<string, number>();
  const entries = starts
    .map(({ index, day, time, title }, position) => {
      const at = instantAt(day, time, timeZone);
      const shownDay = day === storyDay ? "" : `${longDate(day)}, `;
      const body = file.html.slice(index, starts[position + 1]?.index);
      return {
        id: toEntryId(day === storyDay ? time : `${day} ${time}`, used),
        title,
        at,
        written: `${day} ${time}`,
        time: { iso: localTimestamp(at, timeZone), text: shownDay + clockTime(at, timeZone) },
        html: body.slice(body.indexOf("</h2>") + "</h2>".length),
      };
    })
    .sort((one, other) => other.at.getTime() - one.at.getTime());
  const summary = first ? file.html.slice(0, first.index) : file.html;
  const html = [
    summary,
    ...entries.map(
      ({ id, title, time, html }) =>
        `<h2 id="${id}">${escapeHtml([time.text, title].filter(Boolean).join(": "))}</h2>${html}`,
    ),
  ].join("\n");
  const version = createHash("sha256").update(`${live} ${file.front.title} ${html}`).digest("hex");
  return {
    isLive: live,
    version: version.slice(0, 16),
    summary,
    entries: entries.map(({ id, title, time, html }) => ({ id, title, time, html })),
    html,
    lastWritten: entries[0]?.written ?? null,
  };
}

/** An anchor that stays when the title is corrected. Entries of the same minute are numbered. */
function toEntryId(time: string, used: Map<string, number>): string {
  const id = `at-${time.replaceAll(/\D+/g, "-")}`;
  const count = (used.get(id) ?? 0) + 1;
  used.set(id, count);
  return count === 1 ? id : `${id}-${count}`;
}

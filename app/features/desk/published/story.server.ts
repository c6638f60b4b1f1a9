import { showDateAndTime } from "../../../lib/article-dates.ts";
import { calendarDay, daysBefore, longDate, shortTimestamp } from "../../../lib/dates.ts";
import type { Services } from "../../../platform/services.ts";
import type { Correction } from "../../../site-files/article-fields.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { readFileNotes } from "../../file-notes/notes.server.ts";
import { findStoryRow, type StoryRow } from "../../stories/desk/rows.server.ts";
import { newsFolder } from "../../stories/files.server.ts";
import { rejectedRetentionDays } from "../../stories/readers/model.ts";
import { isPublished, recordFromFile } from "../../stories/record.server.ts";
import type { ItemState } from "./model.ts";

/** A story that is, or was, on the site, as its page at the desk shows it. */
export type DeskStory = {
  slug: string;
  title: string;
  excerpt: string;
  category: string;
  authors: string[];
  /** The date of the publication, as editors read it. */
  date: string;
  state: ItemState;
  isPinned: boolean;
  corrections: Correction[];
} & (
  | { kind: "row"; row: StoryRow }
  /** `isPinnedByFile`: then the desk cannot unpin it. */
  | { kind: "file"; file: string; isPinnedByFile: boolean }
);

/** Finds a story in the database or in a file. A published row at the path of a file wins. */
export async function findDeskStory(
  services: Pick<Services, "db" | "site" | "clock">,
  slug: string,
): Promise<DeskStory | null> {
  const { timeZone } = services.site.read(siteSettingsFile);
  const row = await findStoryRow(services.db, { slug });
  if (row?.state === "approved") return fromRow(row, timeZone);
  return (await findFile(services, slug)) ?? (row && fromRow(row, timeZone));
}

/** Prepares a story for its page at the desk. */
export function describeDeskStory({ site }: Pick<Services, "site">, story: DeskStory) {
  const { timeZone } = site.read(siteSettingsFile);
  const { slug, title, excerpt, category, authors, date, state, isPinned } = story;
  const row = story.kind === "row" ? story.row : null;
  const deletedAt =
    row?.origin === "reader" && row.state === "down" && row.decidedAt
      ? daysBefore(row.decidedAt, -rejectedRetentionDays)
      : null;
  return {
    slug,
    title,
    excerpt,
    facts: [category, authors.join(", "), date].filter((fact) => fact !== "").join(" · "),
    state,
    isPinned,
    corrections: story.corrections.map(({ date, text }) => ({
      date: showDateAndTime(date, timeZone).text,
      text,
    })),
    rowId: row?.id ?? null,
    file: story.kind === "file" ? story.file : null,
    isPinnedByFile: story.kind === "file" && story.isPinnedByFile,
    deletedOn: deletedAt && longDate(calendarDay(deletedAt, timeZone)),
  };
}

/** What editors see. The desk lists no stories that wait or were rejected among the published ones. */
export const storyStates: Record<StoryRow["state"], ItemState> = {
  approved: "published",
  down: "down",
  draft: "draft",
  waiting: "draft",
  rejected: "down",
};

function fromRow(row: StoryRow, timeZone: string): DeskStory {
  const { title, excerpt, authors, isPinned, corrections, origin, name } = row;
  return {
    kind: "row",
    row,
    slug: row.slug ?? "",
    title,
    excerpt,
    category: row.category ?? "",
    authors: origin === "desk" ? authors : name === "" ? [] : [name],
    date: shortTimestamp(row.publishedAt ?? row.createdAt, timeZone),
    state: storyStates[row.state],
    isPinned,
    corrections,
  };
}

async function findFile(
  { db, site, clock }: Pick<Services, "db" | "site" | "clock">,
  slug: string,
): Promise<DeskStory | null> {
  const { timeZone } = site.read(siteSettingsFile);
  const file = site.readAll(newsFolder).find(({ id }) => id === slug);
  const record = file && recordFromFile(file, timeZone);
  if (!record || !isPublished(record, clock())) return null;
  const note = (await readFileNotes(db, "story")).get(slug);
  const { title, excerpt, category, authors } = record;
  return {
    kind: "file",
    file: `${newsFolder.folder}/${slug}.md`,
    isPinnedByFile: record.isPinned,
    slug,
    title,
    excerpt,
    category,
    authors,
    date: showDateAndTime(record.writtenDate, timeZone).text,
    state: note?.isDown ? "down" : "published",
    isPinned: record.isPinned || (note?.isPinned ?? false),
    corrections: [...record.corrections, ...(note?.corrections ?? [])],
  };
}

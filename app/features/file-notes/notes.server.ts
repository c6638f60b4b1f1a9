import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { readShared, readSharedOr, type SharedRead } from "../../../db/shared-reads.ts";
import type { Check } from "../../platform/city.ts";
import type { Services } from "../../platform/services.ts";
import { cacheTags, purge } from "../../platform/tags.ts";
import type { Correction } from "../../site-files/article-fields.server.ts";
import type { SiteFolder } from "../../site-files/site-file.server.ts";
import { findRedirect, redirectsFile } from "../redirects/files.server.ts";
import { fileNotes } from "./schema.server.ts";

type FileKind = typeof fileNotes.$inferSelect.kind;
export type FileNote = Pick<typeof fileNotes.$inferSelect, "isDown" | "isPinned" | "corrections">;
type FileNotes = ReadonlyMap<string, FileNote>;

const tags = {
  story: cacheTags.stories,
  post: cacheTags.blog,
  event: cacheTags.events,
} as const;

/** The notes about all files of a kind, by their names, and about imported events, by their ids. */
export const notesOf = (kind: FileKind): SharedRead<FileNotes> => ({
  name: `notes about ${kind} files`,
  tags: [tags[kind]],
  async load(db) {
    const rows = await db.select().from(fileNotes).where(eq(fileNotes.kind, kind));
    return new Map(rows.map(({ kind: _kind, id, ...note }) => [id, note]));
  },
});

const noNotes: FileNotes = new Map();

export const readFileNotes = (db: Database, kind: FileKind): Promise<FileNotes> =>
  readSharedOr(db, notesOf(kind), noNotes);

const purgeFile = (tx: Database, kind: FileKind, id: string) =>
  purge(tx, kind === "post" ? [tags.post, cacheTags.post(id)] : [tags[kind]]);

export async function changeFileNote(
  tx: Database,
  kind: FileKind,
  id: string,
  change: Partial<Omit<FileNote, "corrections">>,
): Promise<void> {
  await tx
    .insert(fileNotes)
    .values({ kind, id, ...change })
    .onConflictDoUpdate({ target: [fileNotes.kind, fileNotes.id], set: change });
  await purgeFile(tx, kind, id);
}

/** Adds a correction to those of a file. Two editors can do this at the same moment. */
export async function addFileCorrection(
  tx: Database,
  kind: FileKind,
  id: string,
  correction: Correction,
): Promise<void> {
  await tx
    .insert(fileNotes)
    .values({ kind, id, corrections: [correction] })
    .onConflictDoUpdate({
      target: [fileNotes.kind, fileNotes.id],
      set: { corrections: sql`${fileNotes.corrections} || excluded.corrections` },
    });
  await purgeFile(tx, kind, id);
}

/** A file that was renamed, as redirects.yaml says, keeps what editors decided about it. */
export const followRenames =
  (kind: FileKind, folder: SiteFolder<unknown>) =>
  async ({ site, db }: Pick<Services, "site" | "db">): Promise<void> => {
    const names = site.names(folder);
    const notes = await readShared(db, notesOf(kind));
    for (const id of notes.keys()) {
      const newPath = findRedirect(site.read(redirectsFile), `/${folder.folder}/${id}`);
      const newId = names.find((name) => `/${folder.folder}/${name}` === newPath);
      if (newId === undefined || names.includes(id) || notes.has(newId)) continue;
      await db.transaction(async (tx) => {
        const isNote = and(eq(fileNotes.kind, kind), eq(fileNotes.id, id));
        await tx.update(fileNotes).set({ id: newId }).where(isNote);
        await purgeFile(tx, kind, newId);
      });
    }
  };

export const createNoteCheck =
  (kind: FileKind, folder: SiteFolder<unknown>): Check =>
  async (city) => {
    const services = await city.services();
    const notes = services
      ? await readFileNotes(services.db, kind).catch(() => new Map<string, FileNote>())
      : new Map<string, FileNote>();
    return city.names(folder).flatMap((id) =>
      describeNote(kind, id, notes.get(id)).map((message) => ({
        file: `${folder.folder}/${id}.md`,
        at: null,
        field: "",
        message,
        isNote: true,
      })),
    );
  };

/** Says what editors decided at the desk about a file. */
const describeNote = (kind: FileKind, id: string, note: FileNote | undefined): string[] => [
  ...(note?.isDown
    ? [`is taken down, so readers do not see it. Publish it again at /desk/published/${kind}/${id}`]
    : []),
  ...(note?.isPinned ? ["is pinned to the front page at the desk"] : []),
  ...(note?.corrections ?? []).map(
    ({ date, text }) => `has a correction of ${date} that was added at the desk: ${text}`,
  ),
];

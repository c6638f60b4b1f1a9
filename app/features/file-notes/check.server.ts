import type { Check } from "../../platform/city.ts";
import type { SiteFolder } from "../../site-files/site-file.server.ts";
import { type FileKind, type FileNote, readFileNotes } from "./notes.server.ts";

/** Creates a check that notes what editors decided at the desk about the files of a folder. */
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
export const describeNote = (kind: FileKind, id: string, note: FileNote | undefined): string[] => [
  ...(note?.isDown
    ? [`is taken down, so readers do not see it. Publish it again at /desk/published/${kind}/${id}`]
    : []),
  ...(note?.isPinned ? ["is pinned to the front page at the desk"] : []),
  ...(note?.corrections ?? []).map(
    ({ date, text }) => `has a correction of ${date} that was added at the desk: ${text}`,
  ),
];

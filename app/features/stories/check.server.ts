import { readShared } from "../../../db/shared-reads.ts";
import { writtenInstant } from "../../lib/dates.ts";
import type { Check, City, CrossFileProblem } from "../../platform/city.ts";
import { checkNames } from "../../site-files/check-names.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { checkCategory } from "../feeds/checks.server.ts";
import { createNoteCheck, readFileNotes } from "../file-notes/notes.server.ts";
import { listedStories } from "./approved.server.ts";
import { newsFolder, type StoryFile } from "./files.server.ts";
import { storyPath } from "./model.ts";

type WrittenText = {
  file: string;
  noun: "story" | "post";
  preview: string;
  front: Pick<StoryFile["front"], "draft" | "updated" | "corrections"> & { date: string };
};

/** Notes whether readers do not see a story or a post yet, and dates that are still to come. */
export function noteDates(
  city: City,
  { file, noun, preview, front: { date, updated, draft, corrections } }: WrittenText,
): CrossFileProblem[] {
  const timeZone = city.read(siteSettingsFile)?.timeZone ?? "UTC";
  const now = new Date();
  const note = (at: PropertyKey[], message: string) => ({
    file,
    at,
    field: at.join("."),
    message,
    isNote: true,
  });
  const noteIfFuture = (
    at: PropertyKey[],
    written: string | undefined,
    visible: string,
    advice = "",
  ) =>
    written !== undefined && writtenInstant(written, timeZone) > now
      ? [note(at, `is in the future (${written}), and readers see ${visible} only then${advice}`)]
      : [];
  const previewAdvice = `. Run "./newsroom ${preview}" to read it now`;
  if (draft) return [note(["draft"], `is true, so readers do not see the ${noun}${previewAdvice}`)];
  return [
    ...noteIfFuture(["date"], date, `the ${noun}`, previewAdvice),
    ...noteIfFuture(["updated"], updated, "this date"),
    ...corrections.flatMap((correction, index) =>
      noteIfFuture(["corrections", index, "date"], correction.date, "the correction"),
    ),
  ];
}

export const checkStories: Check = (city) =>
  city.readAll(newsFolder).flatMap(({ id, front }) =>
    noteDates(city, {
      file: `${newsFolder.folder}/${id}.md`,
      noun: "story",
      preview: `stories preview ${id}`,
      front,
    }),
  );

/** Says why readers do not see a file, if they do not. */
async function explainHidden(city: City): Promise<(id: string) => string | null> {
  const timeZone = city.read(siteSettingsFile)?.timeZone ?? "UTC";
  const now = new Date();
  const files = new Map(city.readAll(newsFolder).map((file) => [file.id, file.front]));
  const services = await city.services();
  const notes = await (services && readFileNotes(services.db, "story").catch(() => null));
  return (id) => {
    const front = files.get(id);
    if (!front) return null;
    if (front.draft) return "is a draft";
    if (writtenInstant(front.date, timeZone) > now) return "is scheduled";
    return notes?.get(id)?.isDown ? "is taken down" : null;
  };
}

/** Notes links in published stories to stories that readers do not see. */
export const checkHiddenLinks: Check = async (city) => {
  const explain = await explainHidden(city);
  return city
    .readAll(newsFolder)
    .filter(({ id }) => explain(id) === null)
    .flatMap(({ id, html }) =>
      [
        ...new Set([...html.matchAll(/href="(\/news\/([\w-]+))/g)].map(([, , to = ""]) => to)),
      ].flatMap((to) => {
        const reason = explain(to);
        const at = storyPath(to);
        const message = `${at} ${reason}, so the link leads readers nowhere`;
        return reason === null
          ? []
          : [{ file: `${newsFolder.folder}/${id}.md`, at, field: "", message, isNote: true }];
      }),
    );
};

/** Finds names in a list of stories that are neither those of files nor slugs of the database. */
export async function checkStoryNames(
  city: City,
  file: string,
  at: string[],
  names: string[],
): Promise<CrossFileProblem[]> {
  const files = city.names(newsFolder);
  const others = names.filter((name) => !files.includes(name));
  const services = others.length > 0 ? await city.services() : null;
  // While the database is unavailable, it is unknown which stories exist.
  const stored = services
    ? await readShared(services.db, listedStories).then(
        (stories) =>
          [...stories].filter(([, { state }]) => state === "approved").map(([slug]) => slug),
        () => others,
      )
    : [];
  return checkNames(file, at, names, newsFolder.folder, [...files, ...stored]);
}

/**
 * A story in the database keeps its path, so a file with the same name is not shown. For stories of
 * the desk this is only a note, because `stories export` writes such files.
 */
export const checkReaderSlugs: Check = async (city) => {
  const services = await city.services();
  if (!services) return [];
  const stories = await readShared(services.db, listedStories).catch(() => null);
  return city.names(newsFolder).flatMap((slug) => {
    const story = stories?.get(slug);
    if (!story) return [];
    const isNote = story.writtenBy === "desk";
    const message = isNote
      ? `is not on the site, because the desk has the story: edit it at /desk/published/story/${slug}, or give the file another name`
      : `is not on the site, because a reader's story has the path ${storyPath(slug)}: give the file another name`;
    return [{ file: `${newsFolder.folder}/${slug}.md`, at: null, field: "", message, isNote }];
  });
};

export const checkFileNotes = createNoteCheck("story", newsFolder);

/** Finds categories that no section's page shows. The stories are still on /news and /stories. */
export const checkCategories: Check = (city) =>
  city
    .readAll(newsFolder)
    .flatMap(({ id, front: { category } }) =>
      checkCategory(city, `${newsFolder.folder}/${id}.md`, category),
    );

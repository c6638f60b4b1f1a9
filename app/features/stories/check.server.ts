import { writtenInstant } from "../../lib/dates.ts";
import type { Check, City, CrossFileProblem } from "../../platform/city.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { noteUnusedCategory } from "../feeds/checks.server.ts";
import { newsFolder } from "./files.server.ts";
import { findApprovedSlugs } from "./readers/approved.server.ts";

/** Notes which stories readers do not see yet, and dates of changes that are still to come. */
export const checkStories: Check = (city) => {
  const timeZone = city.read(siteSettingsFile)?.timeZone ?? "UTC";
  const now = new Date();
  const isFuture = (written: string) => writtenInstant(written, timeZone) > now;
  return city.readAll(newsFolder).flatMap(({ id, front }) => {
    const { date, updated, draft, corrections } = front;
    const note = (at: PropertyKey[], message: string) => ({
      file: `${newsFolder.folder}/${id}.md`,
      at,
      field: at.join("."),
      message,
      isNote: true,
    });
    const previewAdvice = `Run "./newsroom stories preview ${id}" to read it now`;
    const changes = [
      ...(updated === undefined ? [] : [{ at: ["updated"], date: updated }]),
      ...corrections.map((correction, index) => ({
        at: ["corrections", index, "date"],
        date: correction.date,
      })),
    ];
    return [
      ...(draft
        ? [note(["draft"], `is true, so readers do not see the story. ${previewAdvice}`)]
        : []),
      ...(!draft && isFuture(date)
        ? [
            note(
              ["date"],
              `is in the future (${date}), and readers see the story only then. ${previewAdvice}`,
            ),
          ]
        : []),
      ...changes
        .filter((change) => isFuture(change.date) && !isFuture(date))
        .map((change) => note(change.at, `is in the future (${change.date})`)),
    ];
  });
};

/**
 * Notes stories that a page is to show, according to a list in a site file, but that readers do not
 * see yet. Another story takes their place.
 */
export function checkNamedStories(
  city: City,
  file: string,
  at: string[],
  ids: string[],
): CrossFileProblem[] {
  const timeZone = city.read(siteSettingsFile)?.timeZone ?? "UTC";
  const stories = new Map(city.readAll(newsFolder).map((story) => [story.id, story.front]));
  return ids.flatMap((id, index) => {
    const { draft = false, date = "" } = stories.get(id) ?? {};
    const isScheduled = date !== "" && writtenInstant(date, timeZone) > new Date();
    if (!draft && !isScheduled) return [];
    const reason = draft
      ? "is a draft, so another story takes its place"
      : `is published on ${date}, so another story takes its place until then`;
    return [
      {
        file,
        at: [...at, index],
        field: at.join("."),
        message: `names ${id}, which ${reason}`,
        isNote: true,
      },
    ];
  });
}

/** Finds files with the path of a reader's published story, which stays there. */
export const checkReaderSlugs: Check = async (city) => {
  const services = await city.services();
  const slugs = services
    ? await findApprovedSlugs(services.db, city.names(newsFolder)).catch(() => [])
    : [];
  return [...slugs].map((slug) => ({
    file: `${newsFolder.folder}/${slug}.md`,
    at: null,
    field: "",
    message: `this file is not on the site, because a reader's story is published at /news/${slug}: give the file another name`,
  }));
};

/** Notes categories that no section's page shows. The stories are still on /news and /stories. */
export const checkCategories: Check = (city) =>
  city
    .readAll(newsFolder)
    .flatMap(({ id, front: { category } }) =>
      noteUnusedCategory(city, `${newsFolder.folder}/${id}.md`, category),
    );

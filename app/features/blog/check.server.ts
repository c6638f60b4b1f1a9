import { writtenInstant } from "../../lib/dates.ts";
import type { Check } from "../../platform/city.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { noteUnusedCategory } from "../feeds/checks.server.ts";
import { blogFolder } from "./files.server.ts";

/**
 * Notes which posts readers do not see yet, dates of changes that are still to come, and categories
 * that no section shows.
 */
export const checkPosts: Check = (city) => {
  const timeZone = city.read(siteSettingsFile)?.timeZone ?? "UTC";
  const now = new Date();
  return city.readAll(blogFolder).flatMap(({ id, front }) => {
    const { date, updated, draft, corrections, category } = front;
    const file = `${blogFolder.folder}/${id}.md`;
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
    const previewAdvice = `. Run "./newsroom blog preview ${id}" to read it now`;
    if (draft) return [note(["draft"], `is true, so readers do not see the post${previewAdvice}`)];
    return [
      ...(category === undefined ? [] : noteUnusedCategory(city, file, category)),
      ...noteIfFuture(["date"], date, "the post", previewAdvice),
      ...noteIfFuture(["updated"], updated, "this date"),
      ...corrections.flatMap((correction, index) =>
        noteIfFuture(["corrections", index, "date"], correction.date, "the correction"),
      ),
    ];
  });
};

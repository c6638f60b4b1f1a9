import type { Check } from "../../platform/city.ts";
import { noteUnusedCategory } from "../feeds/checks.server.ts";
import { noteDates } from "../stories/check.server.ts";
import { blogFolder } from "./files.server.ts";

/**
 * Notes which posts readers do not see yet, dates of changes that are still to come, and categories
 * that no section shows.
 */
export const checkPosts: Check = (city) =>
  city.readAll(blogFolder).flatMap(({ id, front }) => {
    const file = `${blogFolder.folder}/${id}.md`;
    const { category, draft } = front;
    return [
      ...(category === undefined || draft ? [] : noteUnusedCategory(city, file, category)),
      ...noteDates(city, { file, noun: "post", preview: `blog preview ${id}`, front }),
    ];
  });

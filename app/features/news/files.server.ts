import { z } from "zod";
import { calendarDate, picture, text } from "../../lib/site-fields.server.ts";
import { siteFolder, type ValueOf } from "../../lib/site-file.server.ts";

/** Stories of our own, one file each. */
export const newsFolder = siteFolder(
  "news",
  z.strictObject({ title: text, excerpt: text, category: text, date: calendarDate, image: picture }),
);

export type StoryRecord = ValueOf<typeof newsFolder>;

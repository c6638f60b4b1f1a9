import { z } from "zod";
import { calendarDate, image, text } from "../../lib/site/site-fields.server.ts";
import { siteFolder, type ValueOf } from "../../lib/site/site-file.server.ts";
import { maxCardTitleLength } from "./model.ts";

/** The newsroom's own stories, each in one file. */
export const newsFolder = siteFolder(
  "news",
  z.strictObject({
    title: text,
    excerpt: text,
    category: text,
    date: calendarDate,
    /** Marks a story that only shows how stories look on this site and is not current news. */
    sample: z.boolean("must be true or false").default(false),
    image: image,
  }),
  {
    remarks: ({ front: { title } }) =>
      title.length > maxCardTitleLength
        ? [
            `title: has ${title.length} characters. Cards show two lines, about ${maxCardTitleLength} characters, and may cut off the rest.`,
          ]
        : [],
  },
);

export type StoryFile = ValueOf<typeof newsFolder>;

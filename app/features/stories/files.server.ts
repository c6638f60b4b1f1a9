import { z } from "zod";
import {
  articleFields,
  changesCheck,
  dayOrTime,
  refuseEarlyChanges,
} from "../../site-files/article-fields.server.ts";
import { image, noPhoto, photo, text } from "../../site-files/site-fields.server.ts";
import {
  type SiteFile,
  siteFile,
  siteFolder,
  type ValueOf,
} from "../../site-files/site-file.server.ts";
import { maxCardTitleLength } from "./model.ts";

const flag = z.boolean("must be true or false");

export const newsFolder = siteFolder(
  "news",
  z
    .strictObject({
      title: text,
      excerpt: text,
      category: text,
      /** When the story is published. Until then, only a signed link shows it. */
      date: dayOrTime,
      ...articleFields,
      /** Whether the front page prefers the story to newer ones. */
      pinned: flag.default(false),
      series: text.optional(),
      image: photo.default(noPhoto),
      /** Whether the page of the story may show ads. */
      ads: flag.default(true),
      /** True while entries are added to the story; false when it is no longer updated. */
      live: flag.optional(),
      /** Marks a story that only shows how stories look on this site and is not current news. */
      sample: flag.default(false),
    })
    .superRefine((front, context) => refuseEarlyChanges(front, context, "story"), changesCheck),
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

const pageTexts = z.strictObject({ heading: text, intro: text, description: text });

const listTexts = z.strictObject({
  stories: pageTexts.default({
    heading: "Our stories",
    intro: "Everything that our newsroom and our readers have written, newest first.",
    description: "All stories by our newsroom and by our readers, by month and category.",
  }),
  corrections: pageTexts.default({
    heading: "Corrections",
    intro: "When we are wrong, we say so: in the story itself, and on this page.",
    description: "What we got wrong and how we corrected it, newest first.",
  }),
});

export const storyListsFile: SiteFile<z.output<typeof listTexts>> = {
  ...siteFile("stories.yaml", listTexts),
  whenMissing: { value: listTexts.parse({}), effect: "the pages have their default texts" },
};

const field = z.strictObject({ label: text, hint: text });

export const submitStoryFile = siteFile(
  "submit-story.yaml",
  z.strictObject({
    title: text,
    description: text,
    heading: text,
    intro: text,
    fields: z.strictObject({
      title: field,
      story: field,
      name: field,
      email: field,
      pictures: field.extend({ file: text, alt: text }),
      consent: z.strictObject({ label: text }),
    }),
    button: text,
    thanks: z.strictObject({ heading: text, text }),
    /** The sentence that says how long we store a story that is not published. */
    lifetime: text,
    /** The image of a story that a reader sent without images. */
    picture: image,
  }),
);

export type SubmitStoryTexts = ValueOf<typeof submitStoryFile>;

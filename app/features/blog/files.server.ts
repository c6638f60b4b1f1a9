import { z } from "zod";
import { image, text } from "../../lib/site/site-fields.server.ts";
import { siteFile, siteMarkdownFolder, type ValueOf } from "../../lib/site/site-file.server.ts";
import { isParsable } from "../../lib/text/markdown-limits.server.ts";
import { isCalendarDay, safeUrl } from "./model.ts";

const domain = z
  .string()
  .regex(
    /^(?!www\.)[a-z0-9-]+(\.[a-z0-9-]+)+$/,
    "must be like annapolis.example.com, in small letters",
  );

/**
 * A day that exists, or an instant with its offset. Anything else would sort and show as nonsense.
 */
export const postDate = z
  .string()
  .refine(
    (date) =>
      isCalendarDay(date)
        ? z.iso.date().safeParse(date).success
        : z.iso.datetime({ offset: true }).safeParse(date).success,
    'must be a day such as 2026-11-15, or an instant such as "2026-11-15T09:00:00-05:00"',
  );

const imageUrl = z
  .string()
  .trim()
  .max(1_000, "must have at most 1,000 characters")
  .refine((address) => safeUrl(address) !== null, "must be a whole web address, https://…");

const keywords = text.max(1_000, "must have at most 1,000 characters");

/** What a post says of itself; the same in a file's front matter, in CSV and in JSON. */
export const postFields = {
  metaTitle: text.max(300, "must have at most 300 characters"),
  metaDescription: text.max(1_000, "must have at most 1,000 characters"),
  date: postDate,
  pinterestImageLink: imageUrl.optional(),
  shortTailKeywords: keywords.optional(),
  longTailKeywords: keywords.optional(),
  youtubeShortsUrl: text.max(300, "must have at most 300 characters").optional(),
};

/** Posts that are files: saved is published, or from its date on if that is still to come. */
export const blogFolder = siteMarkdownFolder("blog", z.strictObject(postFields), ({ body }) =>
  isParsable(body)
    ? []
    : ["is too long or too deeply nested for Markdown: readers see it as plain paragraphs."],
);

export type BlogFileRecord = ValueOf<typeof blogFolder>;

export const blogFile = siteFile(
  "blog.yaml",
  z.strictObject({
    title: text,
    description: text,
    heading: text,
    intro: text,
    /**
     * Names the site to the backend functions. It opens nothing: whoever reads the page can read
     * it.
     */
    publicKey: z.string().regex(/^[\w-]{8,200}$/, "must be 8 to 200 letters, digits, - or _"),
    /** The sister cities whose posts may be kept here, and whose pages may ask for them. */
    network: z.array(domain),
    videoPoster: image,
  }),
);

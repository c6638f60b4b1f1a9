import { z } from "zod";
import { image, text } from "../../lib/site/site-fields.server.ts";
import { siteFile, siteMarkdownFolder, type ValueOf } from "../../lib/site/site-file.server.ts";
import { isParsable } from "../../lib/text/markdown-limits.server.ts";
import { isCalendarDay, safeUrl } from "./model.ts";

const domain = z
  .string()
  .regex(
    /^(?!www\.)[a-z0-9-]+(\.[a-z0-9-]+)+$/,
    "must be a domain in lowercase, such as annapolis.example.com",
  );

/**
 * A calendar day that exists, or an instant with its offset. Any other string could not be sorted
 * or shown as a date.
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
  .refine((url) => safeUrl(url) !== null, "must be a complete URL, such as https://…");

const keywords = text.max(1_000, "must have at most 1,000 characters");

/** The fields of a post. They are the same in front matter, CSV and JSON. */
export const postFields = {
  metaTitle: text.max(300, "must have at most 300 characters"),
  metaDescription: text.max(1_000, "must have at most 1,000 characters"),
  date: postDate,
  pinterestImageLink: imageUrl.optional(),
  shortTailKeywords: keywords.optional(),
  longTailKeywords: keywords.optional(),
  youtubeShortsUrl: text.max(300, "must have at most 300 characters").optional(),
};

/** Posts that are files. A saved file is published on its date: at once if the date has passed. */
export const blogFolder = siteMarkdownFolder("blog", z.strictObject(postFields), ({ body }) =>
  isParsable(body)
    ? []
    : [
        "is too long or too deeply nested for Markdown, so readers see its text without headings, links and images.",
      ],
);

export type PostFile = ValueOf<typeof blogFolder>;

export const blogFile = siteFile(
  "blog.yaml",
  z.strictObject({
    title: text,
    description: text,
    heading: text,
    intro: text,
    /**
     * Identifies the site to the backend functions. It is not a secret: everyone who opens the page
     * can read it.
     */
    publicKey: z.string().regex(/^[\w-]{8,200}$/, "must be 8 to 200 letters, digits, - or _"),
    /**
     * The domains of the sister cities. We may store their posts, and their pages may fetch posts.
     */
    network: z.array(domain),
    videoPoster: image,
  }),
);

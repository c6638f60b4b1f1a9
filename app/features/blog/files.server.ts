import { z } from "zod";
import {
  articleFields,
  changesCheck,
  dayOrTime,
  refuseEarlyChanges,
} from "../../site-files/article-fields.server.ts";
import { image, photo, text, typedText } from "../../site-files/site-fields.server.ts";
import { siteFile, siteMarkdownFolder, type ValueOf } from "../../site-files/site-file.server.ts";
import { safeUrl } from "./contract.ts";

const isoTime = z.iso.datetime({ offset: true, local: true });

/**
 * A date as in stories, or a time with an offset, which programs write: 2026-11-15T09:00:00-05:00.
 */
export const postDate = z.string().superRefine((date, context) => {
  if (isoTime.safeParse(date).success) return;
  const [issue] = dayOrTime.safeParse(date).error?.issues ?? [];
  if (issue) context.addIssue({ code: "custom", message: issue.message });
});

const imageUrl = z
  .string()
  .trim()
  .max(1_000, "must have at most 1,000 characters")
  .refine((url) => safeUrl(url) !== null, "must be a complete URL, such as https://…");

/**
 * In a file, an image of our own may be a path, so that it is found whatever the site's `origin`
 * is.
 */
const imageUrlOrPath = z.union(
  [z.string().regex(/^\/art\/[\w-]+\.\w+$/), imageUrl],
  "must be a complete URL, such as https://…, or a path, such as /art/harbor.svg",
);

const keywords = typedText.max(1_000, "must have at most 1,000 characters");

const title = typedText.max(300, "must have at most 300 characters").optional();
const excerpt = typedText.max(1_000, "must have at most 1,000 characters").optional();

/** The fields of a post. They are the same in front matter, CSV and JSON. */
export const postFields = {
  /**
   * A title and an excerpt, as stories have them. The backend's contract has other names for both,
   * which are accepted too.
   */
  title,
  excerpt,
  metaTitle: title,
  metaDescription: excerpt,
  date: postDate,
  pinterestImageLink: imageUrl.optional(),
  shortTailKeywords: keywords.optional(),
  longTailKeywords: keywords.optional(),
  youtubeShortsUrl: typedText.max(300, "must have at most 300 characters").optional(),
};

const namePairs = [
  ["title", "metaTitle"],
  ["excerpt", "metaDescription"],
] as const;

type PostNames = { [Name in (typeof namePairs)[number][number]]?: string | undefined };

/** Refuses a post that has neither of two names for the same field, or both. */
export function checkPostNames(post: PostNames, context: z.core.$RefinementCtx): void {
  for (const [name, otherName] of namePairs) {
    const message =
      post[otherName] === undefined
        ? post[name] === undefined && "is missing"
        : post[name] !== undefined && `means the same as ${otherName}: delete one of them`;
    if (message) context.addIssue({ code: "custom", path: [name], message });
  }
}

export const toContractNames = <T extends PostNames>({ title, excerpt, ...post }: T) => ({
  ...post,
  metaTitle: post.metaTitle ?? title ?? "",
  metaDescription: post.metaDescription ?? excerpt ?? "",
});

const postFile = z
  .strictObject({
    ...postFields,
    ...articleFields,
    pinterestImageLink: imageUrlOrPath.optional(),
    image: photo.optional(),
    /** The section that shows this category also lists the post, as with stories. */
    category: text.optional(),
  })
  .superRefine((front, context) => {
    checkPostNames(front, context);
    refuseEarlyChanges(front, context, "post");
  }, changesCheck)
  .transform(toContractNames);

/** Posts that are files. A saved file is published on its date: at once if the date has passed. */
export const blogFolder = siteMarkdownFolder("blog", postFile);

export type PostFile = ValueOf<typeof blogFolder>;

export const blogFile = siteFile(
  "blog.yaml",
  z.strictObject({
    title: text,
    description: text,
    heading: text,
    intro: text,
    /** Identifies the site to the backend functions. It is not a secret: every page has it. */
    publicKey: z.string().regex(/^[\w-]{8,200}$/, "must be 8 to 200 letters, digits, - or _"),
    videoPoster: image,
  }),
);

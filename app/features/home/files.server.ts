import { z } from "zod";
import {
  externalLink,
  image,
  text,
  typedText,
  videoFields,
} from "../../site-files/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../site-files/site-file.server.ts";

/** The specified numbers of stories on the front page. A city can have fewer. */
export const featuredStoryCount = 3;
export const communityStoryCount = 2;

export const homeFile = siteFile(
  "home.yaml",
  z.strictObject({
    title: text,
    hero: z.strictObject({ headline: text, tagline: text, image: image }),
    video: videoFields.optional(),
    // The next three lists have names of files, without the extension, and of stories also slugs, as
    // in /news/<slug>. If a list has too few names, pinned and then the newest other stories, or
    // the next other events, fill the remaining places.
    /** Stories. */
    featured: z.array(typedText).max(featuredStoryCount).default([]),
    /** Stories. */
    community: z.array(typedText).max(communityStoryCount).default([]),
    /** Files in events/. */
    events: z.array(typedText).default([]),
    fact: z.strictObject({ text, image: image, link: externalLink }).optional(),
  }),
);

export type Home = ValueOf<typeof homeFile>;

import { z } from "zod";
import { externalLink, image, text, videoFields } from "../../lib/site/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../lib/site/site-file.server.ts";

/** The specification's numbers of stories on the front page. A city that has fewer shows fewer. */
export const featuredStories = 3;
export const communityStories = 2;

export const homeFile = siteFile(
  "home.yaml",
  z.strictObject({
    title: text,
    hero: z.strictObject({ headline: text, tagline: text, image: image }),
    video: videoFields.optional(),
    /**
     * The names of files in news/ and events/, without their ending. The newest others fill up what
     * is not named.
     */
    featured: z.array(text).max(featuredStories).default([]),
    community: z.array(text).max(communityStories).default([]),
    events: z.array(text).default([]),
    fact: z.strictObject({ text, image: image, link: externalLink }).optional(),
  }),
);

export type Home = ValueOf<typeof homeFile>;

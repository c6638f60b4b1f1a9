import { z } from "zod";
import { externalLink, image, text, videoFields } from "../../lib/site/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../lib/site/site-file.server.ts";

/** The specified number of featured stories on the front page. A city can have fewer. */
export const featuredStoryCount = 3;
/** The specified number of community stories on the front page. A city can have fewer. */
export const communityStoryCount = 2;

export const homeFile = siteFile(
  "home.yaml",
  z.strictObject({
    title: text,
    hero: z.strictObject({ headline: text, tagline: text, image: image }),
    video: videoFields.optional(),
    /**
     * The names of files in news/ or events/, without the extension. If there are too few names,
     * the newest other stories and the next other events fill the remaining places.
     */
    featured: z.array(text).max(featuredStoryCount).default([]),
    community: z.array(text).max(communityStoryCount).default([]),
    events: z.array(text).default([]),
    fact: z.strictObject({ text, image: image, link: externalLink }).optional(),
  }),
);

export type Home = ValueOf<typeof homeFile>;

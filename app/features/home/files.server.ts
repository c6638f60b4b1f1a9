import { z } from "zod";
import { outsideLink, picture, text, videoFields } from "../../lib/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../lib/site-file.server.ts";

export const homeFile = siteFile(
  "home.yaml",
  z.strictObject({
    title: text,
    hero: z.strictObject({ headline: text, tagline: text, image: picture }),
    video: videoFields,
    /** The names of files in news/ and events/, without their ending. */
    featured: z.array(text).length(3),
    community: z.array(text).length(2),
    events: z.array(text).min(1),
    fact: z.strictObject({ text, image: picture, link: outsideLink }),
  }),
);

export type Home = ValueOf<typeof homeFile>;

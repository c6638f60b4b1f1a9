import { z } from "zod";
import { outsideLink, picture, text } from "../../lib/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../lib/site-file.server.ts";

export const homeFile = siteFile(
  "home.yaml",
  z.strictObject({
    title: text,
    hero: z.strictObject({ headline: text, tagline: text, image: picture }),
    fact: z.strictObject({ text, image: picture, link: outsideLink }),
  }),
);

export type Home = ValueOf<typeof homeFile>;

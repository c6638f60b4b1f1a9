import { z } from "zod";
import { picture, text } from "../../lib/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../lib/site-file.server.ts";

export const newsletterFile = siteFile(
  "newsletter.yaml",
  z.strictObject({ heading: text, pitch: text, image: picture }),
);

export type NewsletterTexts = ValueOf<typeof newsletterFile>;

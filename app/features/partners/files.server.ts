import { z } from "zod";
import {
  documentFileName,
  image,
  text,
  typedText,
  webUrl,
} from "../../site-files/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../site-files/site-file.server.ts";

const document = z.strictObject({
  id: typedText,
  title: text,
  subject: text,
  file: z.string().regex(documentFileName, "must be the name of a PDF in documents/"),
  preview: image,
  /** The id of a document in a cloud drive, which is shown instead of our file. */
  drive: z
    .string()
    .regex(/^[\w-]{10,}$/, "must be the id of a file in the cloud drive")
    .optional(),
});

const place = z.strictObject({ name: text, address: text, hours: text, link: webUrl.optional() });

export const partnersFile = siteFile(
  "partners.yaml",
  z.strictObject({
    title: text,
    description: text,
    hero: z.strictObject({ heading: text, text }),
    documents: z.strictObject({ heading: text, text, items: z.array(document).max(3) }),
    /** Partners whom readers can visit. */
    visit: z.strictObject({ heading: text, items: z.array(place).min(1).max(60) }).optional(),
  }),
);

export type PartnerDocument = ValueOf<typeof partnersFile>["documents"]["items"][number];

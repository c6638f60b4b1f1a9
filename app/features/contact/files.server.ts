import { z } from "zod";
import { image, text, typedText, webUrl } from "../../site-files/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../site-files/site-file.server.ts";

const latitude = z.number().min(-90).max(90);
const longitude = z.number().min(-180).max(180);

export const contactPageFile = siteFile(
  "contact-page.yaml",
  z.strictObject({
    title: text,
    description: text,
    heading: text,
    intro: text,
    labels: z.strictObject({
      email: text,
      tips: text,
      office: text,
      newsDesk: text,
      address: text,
      hours: text,
      social: text,
    }),
    confidential: z.strictObject({ heading: text, paragraphs: z.array(text).min(1) }),
    form: z
      .strictObject({
        heading: text,
        fields: z.strictObject({ category: text, name: text, email: text, message: text }),
        button: text,
        preset: typedText,
        categories: z.array(z.strictObject({ value: typedText, label: text })).min(1),
        thanks: z.strictObject({ heading: text, text }),
      })
      .refine(({ preset, categories }) => categories.some(({ value }) => value === preset), {
        path: ["preset"],
        error: "must be one of the categories",
      }),
    /** Another company's form, which replaces ours. */
    outside: z
      .strictObject({
        service: z.strictObject({ key: typedText, name: text }),
        url: webUrl,
        script: webUrl.optional(),
      })
      .optional(),
    map: z.strictObject({
      heading: text,
      title: text,
      /** The edges of the visible area: west, south, east and north. */
      box: z.tuple([longitude, latitude, longitude, latitude]),
      marker: z.strictObject({ latitude, longitude }),
      poster: image,
    }),
  }),
);

export type ContactPageTexts = ValueOf<typeof contactPageFile>;

import { z } from "zod";
import { image, text } from "../../../site-files/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../../site-files/site-file.server.ts";

const field = z.strictObject({ label: text, hint: text });

export const submitStoryFile = siteFile(
  "submit-story.yaml",
  z.strictObject({
    title: text,
    description: text,
    heading: text,
    intro: text,
    fields: z.strictObject({
      title: field,
      story: field,
      name: field,
      email: field,
      pictures: field.extend({ file: text, alt: text }),
      consent: z.strictObject({ label: text }),
    }),
    button: text,
    thanks: z.strictObject({ heading: text, text }),
    /** The sentence that says how long we store a story that is not published. */
    lifetime: text,
    /** The image of a story that a reader sent without images. */
    picture: image,
  }),
);

export type SubmitStoryTexts = ValueOf<typeof submitStoryFile>;

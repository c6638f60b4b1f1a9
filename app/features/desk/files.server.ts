import { z } from "zod";
import { typedText } from "../../site-files/site-fields.server.ts";
import { type SiteFile, siteFile } from "../../site-files/site-file.server.ts";
import { unsentRetentionDays } from "../forms/unsent/retention.ts";
import { deviceLifetimeDays } from "./model.ts";

export type Editor = { name: string; email: string };

/** How editors learn about what readers sent: one email for each, or one per half hour for all. */
export type MailRhythm = "each" | "half-hourly";

export type DeskSettings = { editors: Editor[]; mail: MailRhythm };

const maxEditors = 50;

const editorFields = z.strictObject({
  name: typedText.max(80, "must have at most 80 characters"),
  email: z.email("must be an email address, such as name@example.com").toLowerCase(),
});

const file = siteFile(
  "desk.yaml",
  z.strictObject({
    editors: z
      .array(editorFields)
      .min(1, "must list at least one editor")
      .max(maxEditors, `must list at most ${maxEditors} editors`)
      .superRefine((editors, context) => {
        for (const [index, { email }] of editors.entries())
          if (editors.findIndex((other) => other.email === email) < index)
            context.addIssue({
              code: "custom",
              path: [index, "email"],
              message: `is listed twice: ${email}`,
            });
      }),
    mail: z.enum(["each", "half-hourly"], { error: "must be each or half-hourly" }).default("each"),
  }),
);

/** The editors who may use the desk. Null for a city without a desk. */
export const deskFile: SiteFile<DeskSettings | null> = {
  ...file,
  whenMissing: { value: null, effect: "there is no desk under /desk" },
  // An editor who was removed together with a mistake must not stay.
  whenInvalid: (desk, source) =>
    desk &&
    (source.trim() === ""
      ? desk
      : {
          ...desk,
          editors: desk.editors.filter(({ email }) => source.toLowerCase().includes(email)),
        }),
};

export const deskDisclosures = (desk: DeskSettings | null): string[] =>
  desk
    ? [
        "A story, an event or a message that you send us, except a news tip, is emailed whole to each of our editors, with small copies of its images and with your name and email address, which stay in that email after we have deleted them here. Where the text below says otherwise, this paragraph applies.",
        `Our editors work at a desk in their browsers, which readers do not see. Only editors sign in, and only they get a cookie. About each of them we store: the name, the email address and what they did there, for one year; the browsers in which they signed in, with a hash of the network and the times of the first and the last use, for ${deviceLifetimeDays} days; and the links that we email them, for one day, and how many we sent in each hour, for two days. The history of a text names the editor of each version, as long as we store the text. A draft names the editors who saved it last and have it open; what an editor types stays in that editor's browser until our server has it, also after Forget everything. A change or an answer to what a reader sent stays there until it is sent, for at most ${unsentRetentionDays} days.`,
      ]
    : [];

export const findEditor = (desk: DeskSettings | null, email: string): Editor | null =>
  desk?.editors.find((editor) => editor.email === email.trim().toLowerCase()) ?? null;

import { z } from "zod";
import {
  documentFileName,
  type Image,
  image,
  text,
  typedText,
  webUrl,
} from "../../site-files/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../site-files/site-file.server.ts";
import { type EmbedContent, playerSandbox } from "../embeds/model.ts";

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
    visit: z.strictObject({ heading: text, items: z.array(place).min(1).max(60) }).optional(),
  }),
);

type Partners = ValueOf<typeof partnersFile>;
type PartnerDocument = Partners["documents"]["items"][number];
/** `openNow` says whether the place is open, such as "Open now, until 5 PM", if that is known. */
export type ShownPlace = NonNullable<Partners["visit"]>["items"][number] & {
  openNow: string | null;
};

export type DocumentCard = {
  id: string;
  title: string;
  subject: string;
  preview: { kind: "image"; image: Image } | { kind: "embed"; embed: EmbedContent };
  view: string;
  download: string;
};

/** The origin of the cloud drive. embeds.yaml must list it if a document is in the drive. */
export const driveUrl = "https://drive.google.com";

/** The card of our own PDF, or of a file in a cloud drive. */
export function documentCard(item: PartnerDocument, eager: boolean): DocumentCard {
  const { id, title, subject, file, preview, drive } = item;
  if (drive === undefined) {
    return {
      id,
      title,
      subject,
      preview: { kind: "image", image: preview },
      view: `/documents/${file}`,
      download: `/documents/download/${file}`,
    };
  }
  const view = `${driveUrl}/file/d/${drive}/view?usp=sharing`;
  const embed: EmbedContent = {
    title,
    eager,
    poster: preview,
    service: { key: "drive", name: "Google Drive" },
    src: `${driveUrl}/file/d/${drive}/preview`,
    noun: "the document",
    link: { label: "Open in Google Drive", url: view },
    sandbox: playerSandbox,
    allow: "",
  };
  const download = `${driveUrl}/uc?export=download&id=${drive}`;
  return { id, title, subject, preview: { kind: "embed", embed }, view, download };
}

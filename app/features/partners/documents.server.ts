import type { Image } from "../../site-files/site-fields.server.ts";
import { type EmbedContent, playerSandbox } from "../embeds/model.ts";
import type { PartnerDocument } from "./files.server.ts";

export type DocumentCard = {
  id: string;
  title: string;
  subject: string;
  preview: { kind: "image"; image: Image } | { kind: "embed"; embed: EmbedContent };
  view: string;
  download: string;
};

/** The cloud drive, which embeds.yaml must list if a document is there. */
export const driveUrl = "https://drive.google.com";

/**
 * Returns the card of a document: our own PDF, or a file in a cloud drive with its preview, view
 * and download URLs.
 */
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

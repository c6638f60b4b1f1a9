import { createHash } from "node:crypto";
import { truncateAtWord } from "../../lib/text/truncate-at-word.ts";
import type { ShareCard, ShareKind } from "../../platform/share-card.ts";
import type { SiteContent } from "../../site-files/site-file.server.ts";
import { type SiteSettings, siteSettingsFile } from "../brand/files.server.ts";
import { lookFile } from "../brand/look-file.server.ts";
import { type ShareImage, shareImageSize } from "./model.ts";

/** Part of the version of every share image: after a change to the design, all are made again. */
const designVersion = 2;
const versionLength = 12;
const maxAltLength = 300;

/** Describes the share image of a page. The version in its path changes with what it shows. */
export function describeShareImage(
  site: SiteContent,
  { kind, id, card }: { kind: ShareKind; id: string; card: ShareCard },
): ShareImage {
  const version = shareImageVersion(site, card);
  return {
    path: `/share/${kind}/${encodeURIComponent(id)}/${version}.png`,
    alt: describeCard(card),
    ...shareImageSize,
  };
}

export function shareImageVersion(site: SiteContent, card: ShareCard): string {
  const { name, shortName, mark } = site.read(siteSettingsFile);
  return createHash("sha256")
    .update(JSON.stringify([designVersion, name, shortName, mark, site.read(lookFile), card]))
    .digest("base64url")
    .slice(0, versionLength);
}

function describeCard({ title, label, lines, image }: ShareCard): string {
  const about = [label, ...lines].filter((text) => text !== "").join(", ");
  const text = [title, about, image?.alt ?? ""].filter((part) => part !== "").join(". ");
  return truncateAtWord(text.replaceAll(/\s+/g, " ").trim(), maxAltLength);
}

/** The name of the site in two parts: its short name, and what follows it. */
export function splitName({ name, shortName }: Pick<SiteSettings, "name" | "shortName">) {
  return name.startsWith(`${shortName} `)
    ? { name: shortName, accent: name.slice(shortName.length + 1) }
    : { name, accent: "" };
}

import { localTimestamp } from "../../lib/dates.ts";
import type { Palette } from "../../lib/look/palette.ts";
import { escapeHtml } from "../../lib/text/html.ts";
import type { SiteContent } from "../../site-files/site-file.server.ts";
import { contactFile } from "../brand/contact-file.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { lookFile } from "../brand/look-file.server.ts";

export type MailBrand = { shortName: string; city: string; origin: string; colors: Palette };

/** The sender and their address: the law in many places requires a street address. */
export type Imprint = { name: string; street?: string; city?: string };

/**
 * The URL of a photo is the same for all recipients, so loading it tells us nothing about them. A
 * photo of an email to editors is attached instead.
 */
export type MailPhoto = { url: string; width: number; height: number; alt: string; credit: string };

type MailItem = {
  title: string;
  /** Null if the item has no page. */
  link: string | null;
  line: string;
  photo?: MailPhoto | null | undefined;
};

type Link = { label: string; link: string };

export type MailPart =
  | { kind: "paragraph"; text: string }
  /** What somebody else wrote, with its line breaks. */
  | { kind: "quote"; text: string }
  | { kind: "facts"; facts: { label: string; value: string }[] }
  | { kind: "photo"; photo: MailPhoto }
  | { kind: "button"; label: string; link: string }
  | { kind: "section"; heading: string; items: MailItem[]; more: Link | null };

type MailDocument = {
  brand: MailBrand;
  heading: string;
  dateline?: string | undefined;
  /** What mail programs show beside the subject. */
  preview?: string | undefined;
  parts: MailPart[];
  reason?: string | undefined;
  links?: Link[] | undefined;
  imprint: Imprint;
};

export function readSender(site: SiteContent): { brand: MailBrand; imprint: Imprint } {
  const { name, shortName, city, origin } = site.read(siteSettingsFile);
  const { colors } = site.read(lookFile);
  return {
    brand: { shortName, city, origin, colors },
    imprint: { name, ...site.read(contactFile).address },
  };
}

export function greetingAt(now: Date, timeZone: string): string {
  const hour = Number(localTimestamp(now, timeZone).slice(11, 13));
  if (hour < 12) return "Good morning";
  return hour < 17 ? "Good afternoon" : "Good evening";
}

export const renderMail = (mail: MailDocument): { text: string; html: string } => ({
  text: toText(mail),
  html: toHtml(mail),
});

const imprintLines = ({ name, street, city }: Imprint) =>
  [name, street, city].filter((line) => line !== undefined);

function toText({ heading, dateline, parts, reason, links = [], imprint }: MailDocument): string {
  const footer = [
    reason,
    ...links.map(({ label, link }) => `${label}: ${link}`),
    `\n${imprintLines(imprint).join("\n")}`,
  ];
  return [
    [heading, dateline].filter(Boolean).join("\n"),
    ...parts.map(partText),
    // "-- " begins the signature of a plain text email (RFC 3676 4.3).
    `-- \n${footer.filter(Boolean).join("\n").trim()}`,
  ].join("\n\n");
}

function partText(part: MailPart): string {
  switch (part.kind) {
    case "paragraph":
      return part.text;
    case "quote":
      return part.text.replaceAll(/^/gm, "> ");
    case "facts":
      return part.facts.map(({ label, value }) => `${label}: ${value}`).join("\n");
    case "photo":
      return describePhoto(part.photo);
    case "button":
      return `${part.label}:\n${part.link}`;
    case "section": {
      const more = part.more ? [`${part.more.label}: ${part.more.link}`] : [];
      return [part.heading.toUpperCase(), ...part.items.map(itemText), ...more].join("\n\n");
    }
  }
}

const itemText = ({ title, line, link, photo }: MailItem) =>
  [`* ${title}`, line, link, photo && describePhoto(photo)].filter(Boolean).join("\n  ");

/** In an email to editors, the credit repeats the description, which is shown only once. */
const describePhoto = ({ alt, credit }: MailPhoto) =>
  `[Photo: ${[...new Set([alt, credit])].filter(Boolean).join(" ")}]`;

/**
 * Mail programs support only the HTML of twenty years ago: the layout is a table, and each element
 * has an inline style. The <style> element has only what an email can do without, such as the dark
 * theme. Programs that invert colors can do so, because every color is in a style and none is in an
 * image.
 */
function toHtml({
  brand,
  heading,
  dateline,
  preview = "",
  parts,
  reason,
  links = [],
  imprint,
}: MailDocument): string {
  const { colors } = brand;
  const footer = [
    reason && escapeHtml(reason),
    links.map(({ label, link }) => textLink(label, link, colors)).join(" &middot; "),
    imprintLines(imprint).map(escapeHtml).join(", "),
  ];
  return `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(heading)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
  .margin { padding: 0 !important; }
  .sheet-text { padding: 20px 16px 28px !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background: ${colors.paper.dark} !important; }
  .sheet { background: ${colors.surface.dark} !important; color: ${colors.ink.dark} !important; }
  .ink { color: ${colors.ink.dark} !important; }
  .soft { color: ${colors.inkSoft.dark} !important; }
  .link { color: ${colors.accent.dark} !important; }
  .rule { border-color: ${colors.line.dark} !important; }
  .bar { border-color: ${colors.ink.dark} !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:${colors.paper.light}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${colors.paper.light}"><tr><td class="margin" align="center" style="padding:24px 12px">
<table role="presentation" class="sheet" width="${sheetWidth}" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:${sheetWidth}px;background:${colors.surface.light};color:${colors.ink.light};border-top:6px solid ${colors.highlight.light}"><tr><td class="sheet-text" style="padding:24px ${sheetPadding}px 32px;${sans};font-size:16px;line-height:1.5;text-align:left;overflow-wrap:anywhere">
${wordmark(brand)}
<h1 style="margin:22px 0 0;${serif};font-size:28px;line-height:1.2;font-weight:bold">${escapeHtml(heading)}</h1>
${dateline ? `<p class="soft" style="margin:6px 0 0;color:${colors.inkSoft.light}">${escapeHtml(dateline)}</p>` : ""}
${parts.map((part) => partHtml(part, colors)).join("\n")}
<p class="soft rule" style="margin:36px 0 0;padding:18px 0 0;border-top:1px solid ${colors.line.light};font-size:14px;color:${colors.inkSoft.light}">${footer.filter(Boolean).join("<br>")}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

const sheetWidth = 600;
const sheetPadding = 24;
const serif = "font-family:Georgia,'Times New Roman',serif";
const sans = "font-family:Arial,Helvetica,sans-serif";

/**
 * The name is written as text, because mail programs load images from a server only if the reader
 * allows it.
 */
const wordmark = ({ shortName, city, origin, colors }: MailBrand) =>
  `<p class="rule" style="margin:0;padding:0 0 12px;border-bottom:3px double ${colors.line.light};${serif};font-size:26px;line-height:1.2"><a class="ink" href="${escapeHtml(origin)}" style="color:${colors.ink.light};text-decoration:none"><b>${escapeHtml(shortName)}</b> <span class="soft" style="${sans};font-size:12px;letter-spacing:2px;text-transform:uppercase;color:${colors.inkSoft.light}">${escapeHtml(city)}</span></a></p>`;

const textLink = (label: string, link: string, colors: Palette) =>
  `<a class="link" href="${escapeHtml(link)}" style="color:${colors.accent.light}">${escapeHtml(label)}</a>`;

function partHtml(part: MailPart, colors: Palette): string {
  switch (part.kind) {
    case "paragraph":
      return `<p style="margin:18px 0 0">${escapeHtml(part.text)}</p>`;
    case "quote":
      return `<div class="rule" style="margin:18px 0 0;padding:0 0 0 16px;border-left:3px solid ${colors.line.light}">${part.text
        .split(/\n{2,}/)
        .map(quotedHtml)
        .join("")}</div>`;
    case "facts":
      return `<p style="margin:14px 0 0;font-size:15px;line-height:1.5">${part.facts.map((fact) => factHtml(fact, colors)).join("<br>")}</p>`;
    case "photo":
      return photoHtml(part.photo, null, colors);
    case "button":
      // Outlook ignores the padding of a link, so the cell of a table has the color.
      return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 6px"><tr><td bgcolor="${colors.highlight.light}" style="background:${colors.highlight.light}"><a href="${escapeHtml(part.link)}" style="display:inline-block;padding:14px 22px;color:${colors.onHighlight.light};font-weight:bold;text-decoration:none">${escapeHtml(part.label)}</a></td></tr></table>`;
    case "section":
      return `<h2 class="bar" style="margin:36px 0 0;padding:10px 0 0;border-top:2px solid ${colors.ink.light};font-size:13px;line-height:1.4;letter-spacing:0.5px;text-transform:uppercase">${escapeHtml(part.heading)}</h2>
${part.items.map((item) => itemHtml(item, colors)).join("\n")}
${part.more ? `<p style="margin:16px 0 0;font-weight:bold">${textLink(part.more.label, part.more.link, colors)}</p>` : ""}`;
  }
}

const quotedHtml = (paragraph: string, index: number) =>
  `<p style="margin:${index === 0 ? 0 : 12}px 0 0">${escapeHtml(paragraph).replaceAll("\n", "<br>")}</p>`;

const factHtml = ({ label, value }: { label: string; value: string }, colors: Palette) =>
  `<span class="soft" style="color:${colors.inkSoft.light}">${escapeHtml(label)}:</span> ${escapeHtml(value)}`;

function itemHtml({ title, link, line, photo }: MailItem, colors: Palette): string {
  const name = link
    ? `<a class="ink" href="${escapeHtml(link)}" style="color:${colors.ink.light};text-decoration:none">${escapeHtml(title)}</a>`
    : escapeHtml(title);
  return `${photo ? photoHtml(photo, link, colors) : ""}<h3 style="margin:16px 0 0;${serif};font-size:${photo ? 24 : 18}px;line-height:1.25">${name}</h3>
${line && `<p class="soft" style="margin:4px 0 0;font-size:15px;line-height:1.45;color:${colors.inkSoft.light}">${escapeHtml(line)}</p>`}`;
}

/** Outlook knows only the attribute `width`; other programs scale the photo to the window. */
function photoHtml(
  { url, width, height, alt, credit }: MailPhoto,
  link: string | null,
  colors: Palette,
): string {
  const shownWidth = Math.min(width, sheetWidth - 2 * sheetPadding);
  const shownHeight = Math.round((height * shownWidth) / width);
  const image = `<img src="${escapeHtml(url)}" width="${shownWidth}" height="${shownHeight}" alt="${escapeHtml(alt)}" style="display:block;width:100%;max-width:${shownWidth}px;height:auto;border:0;font-size:14px">`;
  return `<div style="margin:16px 0 0">${link ? `<a class="soft" href="${escapeHtml(link)}" style="color:${colors.inkSoft.light};text-decoration:none">${image}</a>` : image}</div>
${credit && `<p class="soft" style="margin:4px 0 0;font-size:12px;color:${colors.inkSoft.light}">${escapeHtml(credit)}</p>`}`;
}

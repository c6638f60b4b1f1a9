import { longDate } from "../../../lib/dates.ts";
import { describeCredit, findPhotoSources } from "../../../lib/images/photos.ts";
import { escapeHtml } from "../../../lib/text/html.ts";
import type { IssueItem } from "../../../platform/newsletter.ts";
import {
  type Imprint,
  type MailBrand,
  type MailPhoto,
  renderMail,
} from "../../mail/layout.server.ts";

export type IssueSection = {
  heading: string;
  items: IssueItem[];
  more: { label: string; link: string } | null;
};

export type IssueDraft = {
  day: string;
  subject: string;
  greeting: string;
  brand: MailBrand;
  sections: IssueSection[];
  imprint: Imprint;
};

/** The placeholder for each subscriber's link, which is inserted when the email is sent. */
export const unsubscribePlaceholder = "{{unsubscribe}}";
/** The placeholder for "Good morning": an email may be sent hours after the issue was stored. */
const greetingPlaceholder = "{{greeting}}";

export type Issue = { subject: string; text: string; html: string };

type ComposedIssue = Issue & { sections: IssueSection[] };

/**
 * The photo of the issue is that of the first item that has one. Returns null if all sections are
 * empty.
 */
export function formatIssue(draft: IssueDraft): ComposedIssue | null {
  const { day, subject, brand, imprint } = draft;
  const sections = draft.sections.filter(({ items }) => items.length > 0);
  const items = sections.flatMap((section) => section.items);
  const [first] = items;
  if (!first) return null;
  const illustrated = items.find((item) => toPhoto(item, brand.origin));
  const greeting = `${greetingPlaceholder}, ${brand.city}.`;
  const mail = renderMail({
    brand,
    heading: subject,
    imprint,
    dateline: longDate(day),
    preview: `${greeting} ${first.title}`,
    parts: [
      { kind: "paragraph", text: `${greeting} ${draft.greeting}` },
      ...sections.map((section) => ({
        kind: "section" as const,
        ...section,
        items: section.items.map((item) => ({
          ...item,
          photo: item === illustrated ? toPhoto(item, brand.origin) : null,
        })),
      })),
    ],
    reason: "You get this newsletter because you subscribed and confirmed your email address.",
    links: [
      { label: "Unsubscribe", link: unsubscribePlaceholder },
      { label: "Privacy", link: `${brand.origin}/privacy` },
    ],
  });
  return { subject: `${subject}, ${longDate(day)}`, ...mail, sections };
}

/** The photo of an item, at a width that suits an email. Mail programs do not show our drawings. */
function toPhoto({ image }: IssueItem, origin: string): MailPhoto | null {
  const sources = image && findPhotoSources(image.file);
  if (!sources) return null;
  const { file, alt, width, height, credit = null } = image;
  const url = origin + sources.src;
  return { url, width, height, alt, credit: describeCredit({ file, credit }) ?? "" };
}

/** Replaces the placeholders, whose values depend on the recipient and on the hour. */
export const addressIssue = (
  { subject, text, html }: Issue,
  { link, greeting }: { link: string; greeting: string },
): Issue => {
  const fill = (part: string, filledLink: string) =>
    part.replaceAll(unsubscribePlaceholder, filledLink).replaceAll(greetingPlaceholder, greeting);
  return { subject, text: fill(text, link), html: fill(html, escapeHtml(link)) };
};

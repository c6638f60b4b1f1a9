import { longDate } from "../../../lib/dates.ts";
import { escapeHtml } from "../../../lib/text/html.ts";
import type { IssueItem } from "../../../platform/newsletter.ts";
import { type MailBrand, mailPage } from "../../mail/page.server.ts";

export type IssueSection = {
  heading: string;
  items: IssueItem[];
  more: { label: string; link: string };
};

export type IssueDraft = {
  day: string;
  subject: string;
  heading: string;
  greeting: string;
  brand: MailBrand;
  sections: IssueSection[];
  imprint: { name: string; street: string; city: string; privacy: string };
};

/** The placeholder for each subscriber's link, which is inserted when the email is sent. */
export const unsubscribePlaceholder = "{{unsubscribe}}";

export type Issue = { subject: string; text: string; html: string };

/** An issue with its content, which the newsletter's page shows. */
export type ComposedIssue = Issue & { sections: IssueSection[] };

/**
 * Formats an issue once for all subscribers, without empty sections. Returns null if all sections
 * are empty.
 */
export function formatIssue(draft: IssueDraft): ComposedIssue | null {
  const subject = `${draft.subject}, ${longDate(draft.day)}`;
  const nonEmptySections = draft.sections.filter(({ items }) => items.length > 0);
  if (nonEmptySections.length === 0) return null;
  return {
    subject,
    text: formatText(draft, nonEmptySections),
    html: formatHtml(draft, nonEmptySections),
    sections: nonEmptySections,
  };
}

export const withUnsubscribeLink = ({ subject, text, html }: Issue, link: string): Issue => ({
  subject,
  text: text.replaceAll(unsubscribePlaceholder, link),
  html: html.replaceAll(unsubscribePlaceholder, escapeHtml(link)),
});

const explanation =
  "You get this newsletter because you subscribed and confirmed your email address.";

function formatText(
  { heading, day, greeting, imprint }: IssueDraft,
  sections: IssueSection[],
): string {
  const parts = sections.map(
    ({ heading: title, items, more }) =>
      `${title.toUpperCase()}\n\n${items.map((item) => [`* ${item.title}`, item.line && `  ${item.line}`, `  ${item.link}`].filter(Boolean).join("\n")).join("\n\n")}\n\n${more.label}: ${more.link}`,
  );
  const footer = `${explanation}\nUnsubscribe: ${unsubscribePlaceholder}\nPrivacy: ${imprint.privacy}\n\n${imprint.name}\n${imprint.street}\n${imprint.city}`;
  // "-- " begins the signature of a plain text email (RFC 3676 4.3).
  return [`${heading}\n${longDate(day)}`, greeting, ...parts, `-- \n${footer}`].join("\n\n");
}

function formatHtml(
  { heading, day, greeting, brand, imprint }: IssueDraft,
  sections: IssueSection[],
): string {
  const footer = [
    escapeHtml(explanation),
    `<a class="link" href="${unsubscribePlaceholder}" style="color:#17487a">Unsubscribe</a> &middot; <a class="link" href="${escapeHtml(imprint.privacy)}" style="color:#17487a">Privacy</a>`,
    [imprint.name, imprint.street, imprint.city].map(escapeHtml).join(", "),
  ];
  return mailPage(
    brand,
    heading,
    [
      `<p class="soft" style="margin:6px 0 0;color:#4a5664">${escapeHtml(longDate(day))}</p>`,
      `<p style="margin:18px 0 0">${escapeHtml(greeting)}</p>`,
      ...sections.map(sectionHtml),
      `<p class="soft rule" style="margin:36px 0 0;padding:18px 0 0;border-top:1px solid #ddd3bf;font-size:14px;color:#4a5664">${footer.join("<br>")}</p>`,
    ],
    greeting,
  );
}

function sectionHtml({ heading, items, more }: IssueSection): string {
  return `<h2 class="rule" style="margin:32px 0 0;padding:16px 0 0;border-top:1px solid #ddd3bf;font-family:Georgia,'Times New Roman',serif;font-size:22px;line-height:1.25">${escapeHtml(heading)}</h2>
${items.map(itemHtml).join("\n")}
<p style="margin:16px 0 0"><a class="link" href="${escapeHtml(more.link)}" style="color:#17487a;font-weight:bold">${escapeHtml(more.label)}</a></p>`;
}

const itemHtml = ({ title, link, line }: IssueItem) =>
  `<p style="margin:14px 0 0"><a class="link" href="${escapeHtml(link)}" style="color:#17487a;font-weight:bold">${escapeHtml(title)}</a>${
    line && `<br><span class="soft" style="font-size:14px;color:#4a5664">${escapeHtml(line)}</span>`
  }</p>`;

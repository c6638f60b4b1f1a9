import { clockTime, shortTimestamp } from "../../../lib/dates.ts";
import { createPreview } from "../../../lib/images/images.server.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import type { MailContent } from "../../../platform/mail.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { findCategoryLabel } from "../../contact/messages.server.ts";
import { mailSubjects, noEmailAddress } from "../../forms/notify-newsroom.server.ts";
import { type MailPart, readSender, renderMail } from "../../mail/layout.server.ts";
import { listWaitingAlerts } from "../../official-alerts/store.server.ts";
import { readStoryImages } from "../../stories/readers/moderation.server.ts";
import { deskFile, findEditor } from "../files.server.ts";
import { deskAlertsPath, kindLabels, waitingPath } from "../model.ts";
import type { DeskServices } from "../services.ts";
import { listRefs, readItems, type Submission } from "../waiting/list.server.ts";
import { maxSelected, submissionPath } from "../waiting/model.ts";
import { listFacts } from "../waiting/view.server.ts";
import { sealMailing } from "./queue.server.ts";

/** An email shows at most this many submissions whole, and this many images. */
const maxWhole = 50;
const maxPreviews = 24;
/** The summary names at most this many stories, events and messages each. */
const maxTitles = 10;

type Images = NonNullable<MailContent["images"]>;

const reason = "You get this email because desk.yaml lists you as an editor.";

function readLayout({ site }: DeskServices) {
  const { origin, timeZone } = site.read(siteSettingsFile);
  return {
    origin,
    timeZone,
    /** A message is named by the city's name of its category, because no reader typed that. */
    toTitle: ({ kind, title, category }: Submission) =>
      kind === "message" ? findCategoryLabel(site, category) : toSafeLine(title),
    layout: { ...readSender(site), reason },
  };
}

/** Returns null if the editor is not listed any more, or if no submission of the email waits. */
export async function renderSubmissionsMail(
  services: DeskServices,
  editor: string,
  id: string,
): Promise<MailContent | null> {
  const { db, clock, site } = services;
  if (!findEditor(site.read(deskFile), editor)) return null;
  const { origin, timeZone, toTitle, layout } = readLayout(services);
  const sent = (await sealMailing(db, clock, id)) ?? [];
  const waiting = (await readItems(db, sent)).filter(({ state }) => state === "waiting");
  const [first] = waiting;
  if (!first) return null;
  const only = waiting.length === 1 ? first : null;
  const images: Images = [];
  const parts: MailPart[] = [];
  for (const submission of waiting.slice(0, maxWhole))
    parts.push(
      ...(only ? [] : [toSection(submission, toTitle(submission), timeZone)]),
      { kind: "facts", facts: listAllFacts(submission, timeZone) },
      { kind: "quote", text: stripControlCharacters(submission.text) },
      ...(submission.kind === "story" ? await previewImages(services, submission.id, images) : []),
      { kind: "button", label: "Open at the desk", link: origin + submissionPath(submission) },
    );
  if (waiting.length > maxWhole)
    parts.push(
      { kind: "paragraph", text: `${waiting.length - maxWhole} more wait at the desk.` },
      { kind: "button", label: "Open the desk", link: origin + waitingPath },
    );
  const replyTo = only?.email ?? "";
  if (replyTo !== "")
    parts.push({
      kind: "paragraph",
      text: `To answer the reader from your own email address, reply to this email.${first.kind === "message" ? " At the desk, you answer from the newsroom's." : ""}`,
    });
  const subject = only
    ? toSubject(only, toTitle(only), timeZone)
    : `${waiting.length} new submissions`;
  return {
    subject,
    ...renderMail({
      ...layout,
      heading: only ? toTitle(only) : subject,
      dateline: only
        ? `${mailSubjects[only.kind]}, ${shortTimestamp(only.createdAt, timeZone)}`
        : undefined,
      parts,
    }),
    images,
    headers: replyTo === "" ? {} : { "Reply-To": replyTo },
  };
}

/** The subject never contains text that a reader typed: see `mailSubjects`. */
function toSubject({ kind, createdAt }: Submission, title: string, timeZone: string): string {
  const what = kind === "message" ? `${mailSubjects.message}: ${title}` : mailSubjects[kind];
  return `${what} (${clockTime(createdAt, timeZone)})`;
}

const toSection = ({ kind, createdAt }: Submission, title: string, timeZone: string): MailPart => ({
  kind: "section",
  heading: kindLabels[kind].one,
  items: [{ title, link: null, line: shortTimestamp(createdAt, timeZone) }],
  more: null,
});

const listAllFacts = (item: Submission, timeZone: string) => [
  ...listFacts(item, timeZone),
  ...(item.name ? [{ label: "From", value: toSafeLine(item.name) }] : []),
  { label: "Email", value: item.email || noEmailAddress },
];

/** Adds small copies of a story's images to the email, and returns where it shows them. */
async function previewImages(
  { db }: DeskServices,
  storyId: string,
  images: Images,
): Promise<MailPart[]> {
  const parts: MailPart[] = [];
  for (const { alt, bytes } of await readStoryImages(db, storyId)) {
    const preview = images.length < maxPreviews ? await createPreview(bytes) : null;
    if (!preview) {
      parts.push({ kind: "paragraph", text: "One more image is at the desk." });
      continue;
    }
    const id = `image-${images.length + 1}`;
    images.push({ id, jpeg: preview.bytes });
    const { width, height } = preview;
    const description = alt || "The reader did not describe this image.";
    const photo = { url: `cid:${id}`, width, height, alt: description, credit: alt };
    parts.push({ kind: "photo", photo });
  }
  return parts;
}

export async function renderSummaryMail(
  services: DeskServices,
  editor: string,
): Promise<MailContent | null> {
  const { db, site } = services;
  if (!findEditor(site.read(deskFile), editor)) return null;
  const { origin, timeZone, toTitle, layout } = readLayout(services);
  const waiting = await listRefs(services, { list: "waiting", kind: null, limit: maxSelected });
  const alerts = await listWaitingAlerts(db, services);
  const count = waiting.length + alerts.length;
  if (count === 0) return null;
  const sections: MailPart[] = [];
  if (alerts.length > 0)
    sections.push({
      kind: "section",
      heading: alerts.length === 1 ? "Official alert" : `${alerts.length} official alerts`,
      items: alerts.slice(0, maxTitles).map(({ headline, sentAt }) => ({
        title: toSafeLine(headline),
        link: origin + deskAlertsPath,
        line: shortTimestamp(sentAt, timeZone),
      })),
      more: null,
    });
  for (const [kind, refs] of Map.groupBy(waiting, (ref) => ref.kind)) {
    const items = await readItems(db, refs.slice(0, maxTitles));
    const hidden = refs.length - items.length;
    sections.push({
      kind: "section",
      heading: refs.length === 1 ? kindLabels[kind].one : `${refs.length} ${kindLabels[kind].many}`,
      items: items.map((item) => ({
        title: toTitle(item),
        link: origin + submissionPath(item),
        line: shortTimestamp(item.createdAt, timeZone),
      })),
      more: hidden > 0 ? { label: `${hidden} more`, link: origin + waitingPath } : null,
    });
  }
  const what = [
    waiting.length > 0 && formatCount(waiting.length, "submission"),
    alerts.length > 0 && formatCount(alerts.length, "official alert"),
  ].filter(Boolean);
  const subject = `${what.join(" and ")} ${count === 1 ? "waits" : "wait"} for an editor`;
  return {
    subject,
    ...renderMail({
      ...layout,
      heading: subject,
      parts: [{ kind: "button", label: "Open the desk", link: origin + waitingPath }, ...sections],
    }),
  };
}

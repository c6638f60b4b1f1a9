import { clockTime, shortTimestamp } from "../../../lib/dates.ts";
import { createPreview } from "../../../lib/images/images.server.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import type { MailContent } from "../../../platform/mail.ts";
import type { Services } from "../../../platform/services.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { contactPageFile } from "../../contact/files.server.ts";
import type { Submission } from "../../forms/notice.server.ts";
import { type MailPart, renderMail } from "../../mail/page.server.ts";
import { readStoryImages } from "../../stories/readers/moderation.server.ts";
import { deskFile, findEditor } from "../files.server.ts";
import { submissionPath, waitingPath } from "../model.ts";
import { sealDeskMail } from "./queue.server.ts";
import { findWaiting, listWaitingTitles, type WaitingSubmission } from "./submissions.server.ts";

/** An email shows at most this many submissions whole, and this many images. */
const maxWhole = 50;
const maxPreviews = 24;
/** The summary names at most this many stories, events and messages each. */
const maxTitles = 10;

type DeskMailServices = Pick<Services, "db" | "clock" | "site">;
type Images = NonNullable<MailContent["images"]>;

const kinds: Record<Submission["kind"], { name: string; plural: string; subject: string }> = {
  story: { name: "Story", plural: "Stories", subject: "A reader submitted a story" },
  event: { name: "Event", plural: "Events", subject: "A reader submitted an event" },
  message: { name: "Message", plural: "Messages", subject: "A reader's message" },
};

/** Why editors get these emails. */
const reason = "You get this email because desk.yaml lists you as an editor.";

function readFrame({ site }: DeskMailServices) {
  const { origin, name, shortName, city, timeZone } = site.read(siteSettingsFile);
  const { categories } = site.read(contactPageFile).form;
  return {
    origin,
    labels: { timeZone, categories },
    frame: {
      brand: { shortName, city, origin },
      imprint: { name, ...site.read(contactFile).address },
      reason,
    },
  };
}

/**
 * Renders the email with what readers sent, for one editor. Null if the editor is not listed any
 * more, or if nothing of it still waits.
 */
export async function renderSubmissionsMail(
  services: DeskMailServices,
  editor: string,
  id: string,
): Promise<MailContent | null> {
  const { db, clock, site } = services;
  if (!findEditor(site.read(deskFile), editor)) return null;
  const { origin, labels, frame } = readFrame(services);
  const sent = (await sealDeskMail(db, clock, id)) ?? [];
  const waiting = await findWaiting(db, sent, labels);
  const [first] = waiting;
  if (!first) return null;
  const only = waiting.length === 1 ? first : null;
  const images: Images = [];
  const parts: MailPart[] = [];
  for (const submission of waiting.slice(0, maxWhole))
    parts.push(
      ...(only ? [] : [toSection(submission, labels.timeZone)]),
      { kind: "facts", facts: submission.facts },
      { kind: "quote", text: submission.text },
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
  const subject = only ? toSubject(only, labels.timeZone) : `${waiting.length} new submissions`;
  return {
    subject,
    ...renderMail({
      ...frame,
      heading: only?.title ?? subject,
      dateline: only
        ? `${kinds[only.kind].subject}, ${shortTimestamp(only.createdAt, labels.timeZone)}`
        : undefined,
      parts,
    }),
    images,
    headers: replyTo === "" ? {} : { "Reply-To": replyTo },
  };
}

/** The subject never contains text that a reader typed: see `notifyNewsroom`. */
function toSubject({ kind, title, createdAt }: WaitingSubmission, timeZone: string): string {
  const what = kind === "message" ? `${kinds.message.subject}: ${title}` : kinds[kind].subject;
  return `${what} (${clockTime(createdAt, timeZone)})`;
}

const toSection = ({ kind, title, createdAt }: WaitingSubmission, timeZone: string): MailPart => ({
  kind: "section",
  heading: kinds[kind].name,
  items: [{ title, link: null, line: shortTimestamp(createdAt, timeZone) }],
  more: null,
});

/** Adds small copies of a story's images to the email, and returns where it shows them. */
async function previewImages(
  { db }: DeskMailServices,
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
    const photo = { url: `cid:${id}`, width, height, alt: description, credit: description };
    parts.push({ kind: "photo", photo });
  }
  return parts;
}

/** Renders the morning's summary for one editor. Null if nothing waits any more. */
export async function renderSummaryMail(
  services: DeskMailServices,
  editor: string,
): Promise<MailContent | null> {
  const { db, site } = services;
  if (!findEditor(site.read(deskFile), editor)) return null;
  const { origin, labels, frame } = readFrame(services);
  const waiting = await listWaitingTitles(db, labels);
  if (waiting.length === 0) return null;
  const byKind = Map.groupBy(waiting, ({ kind }) => kind);
  const sections = [...byKind].map(([kind, items]): MailPart => {
    const hidden = items.length - maxTitles;
    return {
      kind: "section",
      heading: items.length === 1 ? kinds[kind].name : `${items.length} ${kinds[kind].plural}`,
      items: items.slice(0, maxTitles).map((item) => ({
        title: item.title,
        link: origin + submissionPath(item),
        line: shortTimestamp(item.createdAt, labels.timeZone),
      })),
      more: hidden > 0 ? { label: `${hidden} more`, link: origin + waitingPath } : null,
    };
  });
  const subject = `${formatCount(waiting.length, "submission waits", "submissions wait")} for an editor`;
  return {
    subject,
    ...renderMail({
      ...frame,
      heading: subject,
      parts: [{ kind: "button", label: "Open the desk", link: origin + waitingPath }, ...sections],
    }),
  };
}

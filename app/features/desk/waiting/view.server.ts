import { clockTime, longDate, shortTimestamp } from "../../../lib/dates.ts";
import { formatSender } from "../../../lib/newsroom/printing.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import { truncateAtWord } from "../../../lib/text/truncate-at-word.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { findCategoryLabel, summarize } from "../../contact/messages.server.ts";
import { readEventFields, toTypedEvent } from "../../events/desk-events.server.ts";
import { eventsFile } from "../../events/files.server.ts";
import type { EventRow } from "../../events/submissions.server.ts";
import { defaultCategory } from "../../stories/readers/model.ts";
import { listCategoryChoices } from "../kinds/categories.server.ts";
import { hashValues } from "../seen.server.ts";
import type { Desk, DeskServices } from "../services.ts";
import { listAnswers } from "./answer.server.ts";
import { type CheckedItem, checkItems } from "./checks.server.ts";
import { countByKind, findDecision, listRefs, readItems, type Submission } from "./list.server.ts";
import {
  countItems,
  findPagePath,
  type ListName,
  type ListPart,
  listKinds,
  maxSelected,
  pageSize,
  type SubmissionKind,
  type SubmissionRef,
} from "./model.ts";
import { listUndos } from "./undo.server.ts";

const maxExcerptLength = 120;

export type Row = ReturnType<typeof toRow>;

function toRow(
  { site }: DeskServices,
  { kind, id, title, text, topic, images, remarks, ...item }: CheckedItem,
) {
  const { timeZone } = site.read(siteSettingsFile);
  const { name, email, event, createdAt } = item;
  const excerpt = truncateAtWord(summarize(text, topic), maxExcerptLength);
  return {
    kind,
    id,
    title: toSafeLine(title) || excerpt,
    excerpt: title === "" ? "" : excerpt,
    when: event
      ? `${longDate(event.day)}, ${clockTime(event.startsAt, timeZone)} · ${toSafeLine(event.location)}`
      : "",
    sender: formatSender({ name, email }),
    received: shortTimestamp(createdAt, timeZone),
    imageCount: images.length,
    category: kind === "message" ? findCategoryLabel(site, item.category) : "",
    isSuspicious: remarks.some((remark) => remark.isSuspicious),
    remarks: remarks.map(({ label, isNeutral }) => ({ label, isNeutral })),
  };
}

/** One page of a list. A page after the last one is the last one. */
export async function readList(
  services: Desk,
  { list, kind: wanted, page }: { list: ListName } & ListPart,
) {
  const { db } = services;
  // Nothing else is in the list of what is done.
  const kind = list === "done" ? "message" : wanted;
  const counts = await countByKind(services, list);
  const total = counts
    .filter((each) => kind === null || each.kind === kind)
    .reduce((sum, { count }) => sum + count, 0);
  const last = Math.max(1, Math.ceil(total / pageSize));
  const shown = Math.min(Math.max(1, page), last);
  const offset = (shown - 1) * pageSize;
  const refs = await listRefs(services, { list, kind, limit: pageSize, offset });
  const items = await checkItems(services, await readItems(db, refs));
  return {
    list,
    kind,
    counts,
    total,
    page: shown,
    last,
    rows: items.map((item) => toRow(services, item)),
    undos: await listUndos(db, services.clock, services.editor),
  };
}

const exampleCount = 5;

/** What a decision about everything of a kind, or of all kinds, would be about. */
export async function describeAll(services: DeskServices, kind: SubmissionKind | null) {
  const { db, clock } = services;
  const until = clock();
  const refs = await listRefs(services, { list: "waiting", kind, until, limit: maxSelected });
  const newest = await readItems(db, refs.slice(0, exampleCount));
  return {
    kind,
    what: countItems(refs),
    until: until.toISOString(),
    examples: newest.map(({ id, title, text, topic }) => ({
      id,
      title: toSafeLine(title) || truncateAtWord(summarize(text, topic), maxExcerptLength),
    })),
    hasMore: refs.length > exampleCount,
  };
}

export type ItemView = NonNullable<Awaited<ReturnType<typeof readItem>>>;

export async function readItem(services: DeskServices, ref: SubmissionRef) {
  const { db, site } = services;
  const { timeZone } = site.read(siteSettingsFile);
  if (!listKinds(site).includes(ref.kind)) return null;
  const [item] = await checkItems(services, await readItems(db, [ref]));
  if (!item) return null;
  const { kind, id, state, title, text, images, remarks, networkNote, email, typed } = item;
  const message = kind === "message" ? await describeMessage(services, item) : null;
  return {
    kind,
    id,
    state,
    title,
    heading: message ? `${item.name || email || "Somebody"} wrote: ${message.subject}` : title,
    text,
    facts: listFacts(item, timeZone),
    images,
    typed,
    remarks,
    networkNote,
    sender: formatSender(item),
    hasEmail: email !== "",
    received: shortTimestamp(item.createdAt, timeZone),
    decision: state === "waiting" ? null : await findDecision(db, timeZone, ref),
    path: findPagePath(item),
    story: kind === "story" ? describeStory(services, item.category || defaultCategory) : null,
    event: item.event && describeEvent(services, item.event),
    message,
  };
}

const describeStory = ({ site }: DeskServices, category: string) => ({
  category,
  categories: listCategoryChoices(site, "story", category),
});

const describeEvent = ({ site }: DeskServices, event: EventRow) => {
  const { timeZone } = site.read(siteSettingsFile);
  const values = toTypedEvent(readEventFields(event, timeZone));
  return {
    categories: site.read(eventsFile).categories.map(({ name }) => name),
    values,
    seen: hashValues(values),
  };
};

/** What editors see of a submission besides its text and sender. */
export function listFacts({ event, topic }: Submission, timeZone: string) {
  if (topic)
    return [
      { label: "About", value: topic.title },
      { label: "Link", value: topic.url },
    ];
  return event ? listEventFacts(event, timeZone) : [];
}

function listEventFacts(event: EventRow, timeZone: string) {
  const { day, startsAt, endsAt, location, category, free, url } = event;
  const end = endsAt > startsAt ? ` – ${clockTime(endsAt, timeZone)}` : "";
  return [
    { label: "When", value: `${longDate(day)}, ${clockTime(startsAt, timeZone)}${end}` },
    { label: "Where", value: toSafeLine(location) },
    { label: "Category", value: `${category}${free ? ", free" : ""}` },
    ...(url ? [{ label: "Link", value: url }] : []),
  ];
}

async function describeMessage({ db, site }: DeskServices, { id, category, topic }: CheckedItem) {
  const { timeZone } = site.read(siteSettingsFile);
  const answers = await listAnswers(db, id);
  const about = findCategoryLabel(site, category);
  return {
    about,
    subject: topic?.title ?? about,
    draft: answers.find(({ isDraft }) => isDraft)?.text ?? "",
    answers: answers
      .filter(({ isDraft }) => !isDraft)
      .map(({ id, editorName, at, text }) => ({
        id,
        editorName,
        text,
        time: shortTimestamp(at, timeZone),
      })),
  };
}

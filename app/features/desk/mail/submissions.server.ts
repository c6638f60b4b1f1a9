import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { clockTime, longDate } from "../../../lib/dates.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import type { Submission } from "../../forms/notice.server.ts";
import { storySubmissions } from "../../stories/readers/schema.server.ts";

/** A submission that still waits, as an email shows it. */
export type WaitingSubmission = Submission & {
  createdAt: Date;
  title: string;
  facts: { label: string; value: string }[];
  text: string;
  /** The reader's email address. Empty if the reader left none. */
  email: string;
};

type Labels = { timeZone: string; categories: { value: string; label: string }[] };

/** Finds those of the submissions that still wait, in the same order. */
export async function findWaiting(
  db: Database,
  submissions: Submission[],
  labels: Labels,
): Promise<WaitingSubmission[]> {
  const idsOf = (kind: Submission["kind"]) =>
    submissions.filter((each) => each.kind === kind).map(({ id }) => id);
  const found = [
    ...(await findStories(db, idsOf("story"))),
    ...(await findEvents(db, idsOf("event"), labels)),
    ...(await findMessages(db, idsOf("message"), labels)),
  ];
  const byKey = new Map(found.map((each) => [`${each.kind} ${each.id}`, each]));
  return submissions.flatMap(({ kind, id }) => byKey.get(`${kind} ${id}`) ?? []);
}

const isWaitingStory = eq(storySubmissions.state, "waiting");
const isWaitingEvent = eq(eventSubmissions.state, "waiting");
const isNewMessage = eq(contactMessages.state, "new");

async function findStories(db: Database, ids: string[]): Promise<WaitingSubmission[]> {
  const rows = await db
    .select()
    .from(storySubmissions)
    .where(and(inArray(storySubmissions.id, ids), isWaitingStory));
  return rows.map(({ id, createdAt, title, text, name, email }) => ({
    kind: "story",
    id,
    createdAt,
    title: toSafeLine(title),
    facts: senderFacts(name, email),
    text: stripControlCharacters(text),
    email,
  }));
}

async function findEvents(
  db: Database,
  ids: string[],
  { timeZone }: Labels,
): Promise<WaitingSubmission[]> {
  const rows = await db
    .select()
    .from(eventSubmissions)
    .where(and(inArray(eventSubmissions.id, ids), isWaitingEvent));
  return rows.map(({ id, createdAt, title, name, email, ...event }) => {
    const times = [event.startsAt, ...(event.endsAt > event.startsAt ? [event.endsAt] : [])];
    return {
      kind: "event",
      id,
      createdAt,
      title: toSafeLine(title),
      facts: [
        {
          label: "When",
          value: `${longDate(event.day)}, ${times.map((time) => clockTime(time, timeZone)).join(" – ")}`,
        },
        { label: "Where", value: toSafeLine(event.location) },
        { label: "Category", value: event.category },
        ...(event.free ? [{ label: "Price", value: "Free" }] : []),
        ...(event.url ? [{ label: "Website", value: event.url }] : []),
        ...senderFacts(name, email),
      ],
      text: stripControlCharacters(event.description),
      email,
    };
  });
}

async function findMessages(
  db: Database,
  ids: string[],
  labels: Labels,
): Promise<WaitingSubmission[]> {
  const rows = await db
    .select()
    .from(contactMessages)
    .where(and(inArray(contactMessages.id, ids), isNewMessage));
  return rows.map(({ id, createdAt, category, name, email, message }) => ({
    kind: "message",
    id,
    createdAt,
    title: toCategoryLabel(category, labels),
    facts: senderFacts(name, email),
    text: stripControlCharacters(message),
    email,
  }));
}

/** The city's own name of a category, which no reader typed. */
const toCategoryLabel = (category: string, { categories }: Labels) =>
  categories.find(({ value }) => value === category)?.label ?? "Message";

const senderFacts = (name: string, email: string) => [
  ...(name ? [{ label: "From", value: toSafeLine(name) }] : []),
  { label: "Email", value: email || "The reader did not leave an email address." },
];

/** The title of what waits, without its text. */
export type WaitingTitle = Submission & { createdAt: Date; title: string };

/** Everything that waits, newest first. */
export async function listWaitingTitles(db: Database, labels: Labels): Promise<WaitingTitle[]> {
  const stories = await db
    .select({
      id: storySubmissions.id,
      createdAt: storySubmissions.createdAt,
      title: storySubmissions.title,
    })
    .from(storySubmissions)
    .where(isWaitingStory);
  const events = await db
    .select({
      id: eventSubmissions.id,
      createdAt: eventSubmissions.createdAt,
      title: eventSubmissions.title,
    })
    .from(eventSubmissions)
    .where(isWaitingEvent);
  const messages = await db
    .select({
      id: contactMessages.id,
      createdAt: contactMessages.createdAt,
      category: contactMessages.category,
    })
    .from(contactMessages)
    .where(isNewMessage);
  return [
    ...stories.map((row) => ({ ...row, kind: "story" as const, title: toSafeLine(row.title) })),
    ...events.map((row) => ({ ...row, kind: "event" as const, title: toSafeLine(row.title) })),
    ...messages.map(({ category, ...row }) => ({
      ...row,
      kind: "message" as const,
      title: toCategoryLabel(category, labels),
    })),
  ].sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}

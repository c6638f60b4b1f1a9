import { and, asc, eq, gte, inArray, lt, or } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/database.ts";
import { addDays, type Clock, daysBefore, instantAt } from "../../lib/dates.ts";
import { toSlug } from "../../lib/text/slug.ts";
import { cacheTags, purgePages } from "../../platform/tags.ts";
import { type NoticeServices, notifyNewsroom } from "../forms/notice.server.ts";
import { emailField, optionalLine, requiredText } from "../forms/receive.server.ts";
import { eventRetentionDays } from "./import/store.server.ts";
import {
  maxDescriptionLength,
  maxLocationLength,
  maxNameLength,
  maxTitleLength,
  maxUrlLength,
  rejectedLifetimeDays,
  waitingLifetimeDays,
} from "./model.ts";
import { eventSubmissions } from "./schema.server.ts";

export type Submission = typeof eventSubmissions.$inferSelect;

/**
 * Browsers with a time field send 17:30; in one without, people type 5:30 PM. Both become 17:30.
 */
const timeField = (error: string) =>
  z
    .string()
    .trim()
    .transform(to24Hours)
    .pipe(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, error));
const time = timeField("Please enter a time, such as 5:30 PM.");

function to24Hours(typed: string): string {
  const parts = /^(1[0-2]|0?[1-9])(?::([0-5]\d))? ?([ap])\.?m\.?$/i.exec(typed);
  if (!parts) return typed;
  const [, hour = "", minutes = "00", half = ""] = parts;
  const hours = (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return `${String(hours).padStart(2, "0")}:${minutes}`;
}

const invalidUrlMessage = "Please enter a whole web address, https://…, or leave this empty.";

/** The form for readers' events. `today` is the city's. */
export const eventForm = (categories: string[], today: string) => ({
  name: "event",
  perHour: 10,
  totalPerHour: 120,
  hasToken: true,
  schema: z.object({
    title: requiredText("Please name the event.", maxTitleLength),
    location: requiredText("Please say where it is.", maxLocationLength),
    day: z.iso
      .date("Please enter the date of the event.")
      .refine((day) => day >= today, "Please enter a date that is still to come.")
      .refine(
        (day) => day <= addDays(today, 730),
        "Please enter a date within the next two years.",
      ),
    starts: time,
    ends: z.union([
      z.literal(""),
      timeField("Please enter a time, such as 7:30 PM, or leave this empty."),
    ]),
    category: z
      .string()
      .refine((value) => categories.includes(value), "Please choose one of the list."),
    free: z.union([z.literal("on"), z.literal("")]).catch(""),
    description: requiredText("Please say what happens there.", maxDescriptionLength),
    url: z.union([
      z.literal(""),
      z
        .url({ protocol: /^https?$/, error: invalidUrlMessage })
        .max(maxUrlLength, invalidUrlMessage),
    ]),
    name: optionalLine(maxNameLength),
    email: z.union(
      [z.literal(""), emailField],
      "Please enter a complete e-mail address, such as name@example.com.",
    ),
    consent: z.literal(
      "on",
      "Please tick this box: we can only show an event that is open to everybody.",
    ),
  }),
});

type FormValues = z.output<ReturnType<typeof eventForm>["schema"]>;

/** Stores an event and writes the mail that tells the newsroom of it: both, or neither. */
export async function storeSubmission(
  { db, clock, to, timeZone }: NoticeServices & { timeZone: string },
  typed: FormValues,
  key: string,
): Promise<void> {
  const { consent: _given, starts, ends, free, ...event } = typed;
  const startsAt = instantAt(event.day, starts, timeZone);
  // An end before the start is in the small hours of the next day.
  const endDay = ends !== "" && ends < starts ? addDays(event.day, 1) : event.day;
  const id = `${toSlug(event.title).slice(0, 60) || "event"}-${crypto.randomUUID().slice(0, 6)}`;
  await db.transaction(async (tx) => {
    const kept = await tx
      .insert(eventSubmissions)
      .values({
        ...event,
        id,
        key,
        startsAt,
        endsAt: ends === "" ? startsAt : instantAt(endDay, ends, timeZone),
        free: free === "on",
        state: "waiting",
        createdAt: clock(),
      })
      .onConflictDoNothing()
      .returning({ id: eventSubmissions.id });
    // The same form, sent twice, gets no row and needs no mail.
    if (kept.length > 0)
      await notifyNewsroom({ db: tx, clock, to }, newsroomNotice(id, event.title, event.day));
  });
}

const newsroomNotice = (id: string, title: string, day: string) => ({
  listCommand: "events list",
  key: `event:${id}`,
  subject: "A reader's event is waiting",
  lines: [
    `"${title}", on ${day}`,
    "",
    "Nobody sees it until one of you approves it:",
    "",
    "  ./newsroom events list",
    `  ./newsroom events approve ${id}`,
    `  ./newsroom events reject ${id}`,
  ],
});

/** Those of an editor's list, the oldest first. */
export function listSubmissions(
  db: Database,
  states: Submission["state"][],
): Promise<Submission[]> {
  return db
    .select()
    .from(eventSubmissions)
    .where(inArray(eventSubmissions.state, states))
    .orderBy(asc(eventSubmissions.createdAt));
}

/**
 * Shows an event, or takes it off; its pages are made anew at once, and whom to ask is forgotten.
 */
export async function decide(
  db: Database,
  clock: Clock,
  id: string,
  state: "approved" | "rejected",
): Promise<Submission | null> {
  return db.transaction(async (tx) => {
    const [decided] = await tx
      .update(eventSubmissions)
      .set({ state, decidedAt: clock(), name: "", email: "" })
      .where(eq(eventSubmissions.id, id))
      .returning();
    if (decided) await purgePages(tx, [cacheTags.events]);
    return decided ?? null;
  });
}

export function approvedEvents(db: Database, from: Date): Promise<Submission[]> {
  return db
    .select()
    .from(eventSubmissions)
    .where(and(eq(eventSubmissions.state, "approved"), gte(eventSubmissions.endsAt, from)));
}

export async function approvedEvent(db: Database, id: string): Promise<Submission | null> {
  const [found] = await db
    .select()
    .from(eventSubmissions)
    .where(and(eq(eventSubmissions.state, "approved"), eq(eventSubmissions.id, id)));
  return found ?? null;
}

export async function deleteOldSubmissions(db: Database, clock: Clock): Promise<number> {
  const { state, createdAt, decidedAt, endsAt } = eventSubmissions;
  const gone = await db
    .delete(eventSubmissions)
    .where(
      or(
        and(eq(state, "waiting"), lt(createdAt, daysBefore(clock(), waitingLifetimeDays))),
        and(eq(state, "rejected"), lt(decidedAt, daysBefore(clock(), rejectedLifetimeDays))),
        and(eq(state, "approved"), lt(endsAt, daysBefore(clock(), eventRetentionDays))),
      ),
    )
    .returning({ id: eventSubmissions.id });
  return gone.length;
}

import { and, eq, gte, inArray, lt, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/database.ts";
import { deleteRows } from "../../../db/rows.ts";
import {
  addDays,
  type Clock,
  daysBefore,
  instantAt,
  isTooLong,
  maxHours,
  readTimeOfDay,
} from "../../lib/dates.ts";
import { toSafeLine } from "../../lib/text/plain-text.ts";
import { toTitleSlug } from "../../lib/text/slug.ts";
import { cacheTags, purge } from "../../platform/tags.ts";
import {
  formsPerHour,
  optionalEmail,
  optionalText,
  requiredText,
} from "../forms/receive.server.ts";
import { eventRetentionDays } from "./import/store.server.ts";
import {
  maxDescriptionLength,
  maxLocationLength,
  maxNameLength,
  maxTitleLength,
  maxUrlLength,
  rejectedRetentionDays,
  waitingRetentionDays,
} from "./model.ts";
import { eventSubmissions } from "./schema.server.ts";

/** The ids of readers' events end with this many random characters, which editors can type. */
export const shortIdLength = 6;
export const shortEventId = (id: string): string => id.slice(-shortIdLength);

export type EventRow = typeof eventSubmissions.$inferSelect;

/**
 * Browsers with time fields send 17:30. In other browsers, readers type 5:30 PM. Both are valid.
 */
export const timeField = (error: string) =>
  z
    .string()
    .transform((typed) => readTimeOfDay(typed) ?? "")
    .pipe(z.string().min(1, error));
const time = timeField("Please enter a time, such as 5:30 PM.");

/** A host, but not the name of a file, such as agenda.pdf. */
const startsWithHost = /^(?:[a-z0-9-]+\.)+(?!(?:pdf|docx?|html?)\b)[a-z]{2,}(?:[/?#]|$)/i;

/** Adds what people leave out: they type city.example, as browsers show it. */
const completeUrl = (typed: string) => (startsWithHost.test(typed) ? `https://${typed}` : typed);

export const webAddress = (error: string) =>
  z
    .string()
    .transform(completeUrl)
    .pipe(z.url({ protocol: /^https?$/, error }).max(maxUrlLength, error));
export const optionalUrl = z.union([
  z.literal(""),
  webAddress("Please enter a complete web address that starts with https://, or leave this empty."),
]);

export const tooLongMessage = `The end is before the start. If it goes on past midnight, it may last up to ${maxHours} hours.`;

export const eventLimit = formsPerHour("events", { visitor: 10, all: 120 });

/** The form in which readers submit events. `today` is the current date in the city. */
export const eventForm = (categories: string[], today: string) => ({
  name: "event",
  limit: eventLimit,
  hasToken: true,
  schema: z
    .object({
      title: requiredText("Please enter the name of the event.", maxTitleLength).overwrite(
        toSafeLine,
      ),
      location: requiredText("Please tell us where it is.", maxLocationLength),
      day: z.iso
        .date("Please enter a valid date.")
        .refine((day) => day >= today, "Please enter today’s date or a later one.")
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
        .refine((value) => categories.includes(value), "Please choose a category."),
      free: z.union([z.literal("on"), z.literal("")]).catch(""),
      description: requiredText("Please tell us what happens there.", maxDescriptionLength),
      url: optionalUrl,
      name: optionalText(maxNameLength).overwrite(toSafeLine),
      email: optionalEmail,
      consent: z.literal(
        "on",
        "Please check this box. We can only publish events that are open to everyone.",
      ),
    })
    .refine((times) => !isTooLong(times), {
      path: ["ends"],
      error: tooLongMessage,
      // Also if another field is invalid, so that readers see all messages at once.
      when: () => true,
    }),
});

export type EventValues = z.output<ReturnType<typeof eventForm>["schema"]>;

export const createEventId = (title: string): string =>
  `${toTitleSlug(title).slice(0, 60) || "event"}-${crypto.randomUUID().slice(0, shortIdLength)}`;

export function toColumns(values: EventValues, timeZone: string) {
  const { title, location, description, category, url, day, starts, ends } = values;
  const startsAt = instantAt(day, starts, timeZone);
  // An end time before the start time means the next day: the event goes on past midnight.
  const endDay = ends !== "" && ends < starts ? addDays(day, 1) : day;
  const endsAt = ends === "" ? startsAt : instantAt(endDay, ends, timeZone);
  const free = values.free === "on";
  return { title, location, description, category, url, day, startsAt, endsAt, free };
}

export async function changeSubmittedEvent(
  db: Database,
  timeZone: string,
  id: string,
  values: EventValues,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(eventSubmissions)
      .set(toColumns(values, timeZone))
      .where(eq(eventSubmissions.id, id));
    await purge(tx, [cacheTags.events]);
  });
}

/**
 * Approves or rejects locked events, and deletes the names and email addresses of the readers who
 * sent them. What was written at the desk is not rejected but taken down, so that it is not deleted
 * early: its editors can publish it again.
 */
export async function decideEvents(
  tx: Database,
  clock: Clock,
  events: EventRow[],
  decision: "approved" | "rejected",
): Promise<Pick<EventRow, "id" | "state">[]> {
  if (events.length === 0) return [];
  const { id, state, writtenBy } = eventSubmissions;
  const ids = events.map((event) => event.id);
  const decided = await tx
    .update(eventSubmissions)
    .set({
      state:
        decision === "approved"
          ? decision
          : sql`case ${writtenBy} when 'desk' then 'down' else 'rejected' end`,
      decidedAt: clock(),
      name: "",
      email: "",
      typed: null,
    })
    .where(inArray(id, ids))
    .returning({ id, state });
  await purge(tx, [cacheTags.events]);
  return decided;
}

export function listApprovedEvents(db: Database, from: Date): Promise<EventRow[]> {
  return db
    .select()
    .from(eventSubmissions)
    .where(and(eq(eventSubmissions.state, "approved"), gte(eventSubmissions.endsAt, from)));
}

export const isDown = async (db: Database, id: string): Promise<boolean> =>
  (await db.$count(
    eventSubmissions,
    and(eq(eventSubmissions.state, "down"), eq(eventSubmissions.id, id)),
  )) > 0;

export const findApprovedEvents = (db: Database, ids: string[]): Promise<EventRow[]> =>
  db
    .select()
    .from(eventSubmissions)
    .where(and(eq(eventSubmissions.state, "approved"), inArray(eventSubmissions.id, ids)));

export function deleteOldSubmissions(db: Database, clock: Clock): Promise<number> {
  const { state, createdAt, decidedAt, endsAt } = eventSubmissions;
  const isOld = or(
    and(eq(state, "waiting"), lt(createdAt, daysBefore(clock(), waitingRetentionDays))),
    and(eq(state, "rejected"), lt(decidedAt, daysBefore(clock(), rejectedRetentionDays))),
    and(
      inArray(state, ["approved", "down", "draft"]),
      lt(endsAt, daysBefore(clock(), eventRetentionDays)),
    ),
  );
  return deleteRows(db, eventSubmissions, isOld);
}

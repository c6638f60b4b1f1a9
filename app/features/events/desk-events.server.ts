import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { findRow, lockRow } from "../../../db/rows.ts";
import { calendarDay, localTimestamp } from "../../lib/dates.ts";
import type { Services } from "../../platform/services.ts";
import { cacheTags, purge } from "../../platform/tags.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { type FieldErrors, firstErrors } from "../forms/receive.server.ts";
import { eventsFile } from "./files.server.ts";
import { eventSubmissions } from "./schema.server.ts";
import {
  createEventId,
  type EventRow,
  type EventValues,
  eventForm,
  toColumns,
} from "./submissions.server.ts";

export type EventFields = {
  title: string;
  location: string;
  description: string;
  category: string;
  free: boolean;
  url: string;
  /** Such as 2026-12-05, in the city's time zone. */
  day: string;
  /** Such as 17:30. */
  starts: string;
  /** Empty if nobody knows when it ends. */
  ends: string;
};

export function readEventFields(event: EventRow, timeZone: string): EventFields {
  const toTime = (instant: Date) => localTimestamp(instant, timeZone).slice(11, 16);
  const { title, location, description, category, free, url, day, startsAt, endsAt } = event;
  const starts = toTime(startsAt);
  const ends = endsAt > startsAt ? toTime(endsAt) : "";
  return { title, location, description, category, free, url, day, starts, ends };
}

/** An event as the fields of a form have it. */
export const toTypedEvent = ({ free, ...fields }: EventFields) => ({
  ...fields,
  free: free ? "on" : "",
});

/** The values that a reader would have to type into the form to send this event. */
export const toFormValues = (fields: EventFields) => ({
  ...toTypedEvent(fields),
  name: "",
  email: "",
  consent: "on",
});

/** The states of the events that the desk lists under "Published". */
export const publishedListStates: EventRow["state"][] = ["approved", "down", "draft"];

const isListed = inArray(eventSubmissions.state, publishedListStates);
const isListedAs = (id: string) => and(eq(eventSubmissions.id, id), isListed);

export const lockEvent = (tx: Database, id: string): Promise<EventRow | null> =>
  lockRow(tx, eventSubmissions, isListedAs(id));

export const findEventRow = (db: Database, id: string): Promise<EventRow | null> =>
  findRow(db, eventSubmissions, isListedAs(id));

/** Also finds an event that waits for a decision or was rejected. */
export const findEventOfDraft = (db: Database, draftId: string): Promise<EventRow | null> =>
  findRow(db, eventSubmissions, eq(eventSubmissions.draftId, draftId));

/** Returns the id of the drafts of an event. An event without one gets one. It must be locked. */
export async function nameEventDraft(tx: Database, { id, draftId }: EventRow): Promise<string> {
  const named = draftId ?? crypto.randomUUID();
  await tx.update(eventSubmissions).set({ draftId: named }).where(isListedAs(id));
  return named;
}

/**
 * Checks an event with the rules of the readers' form. But an editor can still change an event that
 * is over, until the end of its day.
 */
export function checkEvent(
  { site, clock }: Pick<Services, "site" | "clock">,
  fields: EventFields,
  before: EventRow | null,
): { kind: "valid"; values: EventValues } | { kind: "refused"; errors: FieldErrors } {
  const today = calendarDay(clock(), site.read(siteSettingsFile).timeZone);
  const categories = site.read(eventsFile).categories.map(({ name }) => name);
  const firstDay = before && before.day < today ? before.day : today;
  const { schema } = eventForm(categories, firstDay);
  const parsed = schema.safeParse(toFormValues(fields));
  if (parsed.success) return { kind: "valid", values: parsed.data };
  return { kind: "refused", errors: firstErrors(schema, parsed.error) };
}

/** Publishes an event of the desk, or changes one. Its id stays. */
export async function writeEvent(
  { site, clock }: Pick<Services, "site" | "clock">,
  tx: Database,
  row: EventRow | null,
  values: EventValues,
  {
    draftId,
    state = "approved",
  }: { draftId?: string | undefined; state?: EventRow["state"] | undefined } = {},
): Promise<{ id: string }> {
  const columns = {
    ...toColumns(values, site.read(siteSettingsFile).timeZone),
    state,
    decidedAt: clock(),
  };
  const id = row?.id ?? createEventId(values.title);
  if (row) await tx.update(eventSubmissions).set(columns).where(eq(eventSubmissions.id, id));
  else
    await tx.insert(eventSubmissions).values({
      ...columns,
      id,
      key: `desk:${id}`,
      writtenBy: "desk",
      name: "",
      email: "",
      createdAt: clock(),
      draftId,
    });
  await purge(tx, [cacheTags.events]);
  return { id };
}

/** Takes an event down, makes it a draft, or publishes it again. */
export async function changeEventState(
  tx: Database,
  id: string,
  state: "approved" | "down" | "draft",
  at: Date,
): Promise<void> {
  await tx.update(eventSubmissions).set({ state, decidedAt: at }).where(isListedAs(id));
  await purge(tx, [cacheTags.events]);
}

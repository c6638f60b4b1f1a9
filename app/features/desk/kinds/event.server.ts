import { and, asc, eq, gte, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../../db/database.ts";
import { calendarDay, shortTimestamp } from "../../../lib/dates.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import type { Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import {
  changeEventState,
  checkEvent,
  type EventFields,
  findEventOfDraft,
  findEventRow,
  lockEvent,
  nameEventDraft,
  publishedListStates,
  readEventFields,
  writeEvent,
} from "../../events/desk-events.server.ts";
import { eventsFile, eventsFolder } from "../../events/files.server.ts";
import { calendarEvents } from "../../events/import/schema.server.ts";
import { findStoredEventsById, importedSource } from "../../events/import/store.server.ts";
import { readNextEvents } from "../../events/listing/coming.server.ts";
import { toEventDetails } from "../../events/listing/describe.server.ts";
import { nextDate } from "../../events/listing/file-events.server.ts";
import { createEventLookup } from "../../events/listing/gather.server.ts";
import { fromSubmission } from "../../events/listing/to-city-event.server.ts";
import { eventsPath } from "../../events/model.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { type EventRow, eventForm, toColumns } from "../../events/submissions.server.ts";
import { readFileNotes } from "../../file-notes/notes.server.ts";
import type { FieldErrors } from "../../forms/receive.server.ts";
import type { Editor } from "../files.server.ts";
import { toItemState, toRowState } from "../published/model.ts";
import type { LogAction } from "../schema.server.ts";
import type { DeskServices } from "../services.ts";
import { isEventId } from "../waiting/model.ts";
import {
  type DraftFields,
  emptyFields,
  hasMergeLine,
  mergeLineMessage,
  titleOf,
} from "../write/model.ts";
import type { DeskItem, DeskKind, ItemContent } from "./kind.ts";
import { recordPublication } from "./versions.server.ts";

const toFileName = (id: string) => `${eventsFolder.folder}/${id}.md`;

const describeOrigin = ({ writtenBy }: Pick<EventRow, "writtenBy">) =>
  writtenBy === "reader" ? "From a reader" : "From the desk";

/** Without a search, events of other calendars are left out, because there are thousands. */
export const listEvents: DeskKind["list"] = async ({ db, site, clock }, words) => {
  const submissions = await db
    .select()
    .from(eventSubmissions)
    .where(inArray(eventSubmissions.state, publishedListStates));
  const notes = await readFileNotes(db, "event");
  const toItem = <More>(event: { id: string; title: string; startsAt: Date }, more: More) => ({
    kind: "event" as const,
    slug: event.id,
    title: event.title,
    at: event.startsAt,
    announcedAt: null,
    state: notes.get(event.id)?.isDown ? ("down" as const) : ("published" as const),
    ...more,
  });
  const { timeZone } = site.read(siteSettingsFile);
  const files = site
    .readAll(eventsFolder)
    .flatMap((record) => nextDate(record, clock(), timeZone)?.event ?? []);
  const imported = await findImported(db, words, readSources(site), clock());
  return [
    ...submissions.map((row) =>
      toItem(row, {
        announcedAt: row.decidedAt ?? row.createdAt,
        state: toItemState(row.state),
        from: describeOrigin(row),
      }),
    ),
    ...files.map((event) => toItem(event, { from: toFileName(event.id) })),
    ...imported.map((event) => toItem(event, { from: "From a calendar" })),
  ];
};

/** The calendars of events. Sources of meetings are in the same table. */
const readSources = (site: DeskServices["site"]) => [
  importedSource,
  ...site.read(eventsFile).sources.map(({ id }) => id),
];

/** A search can match thousands of events of other calendars. The list shows only the first. */
const maxImported = 200;

/** The events of other calendars that are not over and have all of these words in their titles. */
async function findImported(db: Database, words: string[], sources: string[], now: Date) {
  if (words.length === 0) return [];
  const { source, id, title, startsAt, endsAt } = calendarEvents;
  const hasWords = words.map((word) => sql`strpos(lower(${title}), ${word}) > 0`);
  return db
    .selectDistinctOn([startsAt, id], { id, title, startsAt })
    .from(calendarEvents)
    .where(and(inArray(source, sources), gte(endsAt, now), ...hasWords))
    .orderBy(asc(startsAt), asc(id))
    .limit(maxImported);
}

export const eventKind: DeskKind = {
  list: listEvents,
  find: findEvent,
  async lock(services, tx, rowId) {
    const row = isEventId(rowId) ? await lockEvent(tx, rowId) : null;
    if (!row) return null;
    return {
      ...readContent(services, row),
      slug: rowId,
      nameDraft: () => nameEventDraft(tx, row),
      setState: (state) => changeEventState(tx, rowId, toRowState(state), services.clock()),
    };
  },
  folder: eventsFolder,

  findOfDraft: async (db, draftId) => (await findEventOfDraft(db, draftId))?.id ?? null,

  isOnSite: async ({ db }, rowId) => (await findEventRow(db, rowId))?.state === "approved",

  async findObstacles(services, { fields, rowId }) {
    const row = rowId === null ? null : await findEventRow(services.db, rowId);
    const checked = checkEvent(services, toEventFields(fields), row);
    const errors = checked.kind === "refused" ? toErrors(checked.errors) : {};
    return hasMergeLine(fields.text) ? { ...errors, text: mergeLineMessage } : errors;
  },

  async prepare(services, draft) {
    const { editor } = services;
    return async (tx, { rowId, fields: typed, state, action }) => {
      const row = rowId === null ? null : await lockEvent(tx, rowId);
      const event = { row, draftId: draft.id, fields: toEventFields(typed) };
      const publication = { ...event, state: state && toRowState(state), editor, action };
      const result = await publishEvent(services, tx, publication);
      return result.kind === "refused"
        ? { ...result, errors: toErrors(result.errors) }
        : { kind: "published", path: `${eventsPath}/${result.id}` };
    };
  },

  async preview(services, draft) {
    const lookup = createEventLookup(services);
    const { shape } = eventForm([], "").schema;
    const fields = toEventFields(draft.fields);
    const day = previewDay.safeParse(fields.day).data;
    const starts = shape.starts.safeParse(fields.starts).data;
    const event = {
      ...fromSubmission({
        ...toColumns(
          {
            ...fields,
            title: titleOf(draft.fields),
            category: fields.category || "No category yet",
            free: fields.free ? "on" : "",
            day: day ?? calendarDay(lookup.now, lookup.timeZone),
            starts: starts ?? "23:59",
            ends: (starts && shape.ends.safeParse(fields.ends).data) ?? "",
            name: "",
            email: "",
            consent: "on",
          },
          lookup.timeZone,
        ),
        id: draft.rowId ?? draft.id,
        decidedAt: null,
      }),
      textOverrides: { date: day ? null : "No day yet", time: starts ? null : "No time yet" },
    };
    return {
      kind: "event",
      event: toEventDetails(event, [], lookup),
      next: await readNextEvents(services, lookup, event),
    };
  },
};

async function findEvent({ db, site, clock }: DeskServices, slug: string) {
  const { timeZone } = site.read(siteSettingsFile);
  const toItem = (
    { title, startsAt, location }: Pick<EventRow, "title" | "startsAt" | "location">,
    from: string,
    more: Pick<DeskItem, "rowId" | "file" | "state">,
  ): DeskItem => ({
    kind: "event",
    slug,
    title,
    excerpt: "",
    facts: [shortTimestamp(startsAt, timeZone), location, from],
    ...more,
  });
  const state = (await readFileNotes(db, "event")).get(slug)?.isDown ? "down" : "published";
  const file = site.readAll(eventsFolder).find((record) => record.id === slug);
  if (file) {
    const next = nextDate(file, clock(), timeZone)?.event;
    return next ? toItem(next, "", { rowId: null, file: toFileName(slug), state }) : null;
  }
  const [row] = await db.select().from(eventSubmissions).where(eq(eventSubmissions.id, slug));
  if (row)
    return publishedListStates.includes(row.state)
      ? toItem(row, describeOrigin(row), {
          rowId: row.id,
          file: null,
          state: toItemState(row.state),
        })
      : null;
  const [stored] = await findStoredEventsById(db, readSources(site), [slug]);
  if (!stored) return null;
  const from =
    site.read(eventsFile).sources.find((source) => source.id === stored.source)?.name ?? "Imported";
  return toItem(stored, from, { rowId: null, file: null, state });
}

const toEventDraft = ({ description: text, ...fields }: EventFields): DraftFields => {
  const { title, location, category, free, url, day, starts, ends } = fields;
  return { ...emptyFields, title, text, location, category, free, url, day, starts, ends };
};

const toEventFields = (fields: DraftFields): EventFields => ({
  title: toSafeLine(fields.title),
  description: stripControlCharacters(fields.text).trim(),
  location: toSafeLine(fields.location),
  category: fields.category,
  free: fields.free,
  url: fields.url.trim(),
  day: fields.day,
  starts: fields.starts,
  ends: fields.ends,
});

/** The fields that `checkEvent` checks, in the form's order. "description" is the draft's text. */
const checkedFields = "title description location day starts ends category url".split(" ");

const toErrors = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    checkedFields.flatMap((name) =>
      errors[name] ? [[name === "description" ? "text" : name, errors[name]]] : [],
    ),
  );

/** A preview also shows an event that is over, so it accepts any date of this century. */
const previewDay = z.iso.date().startsWith("20");

const readContent = ({ site }: Pick<Services, "site">, row: EventRow): ItemContent => ({
  fields: toEventDraft(readEventFields(row, site.read(siteSettingsFile).timeZone)),
  at: row.decidedAt ?? row.createdAt,
  state: toItemState(row.state),
});

type Publication = {
  row: EventRow | null;
  /** The id of the draft from which a new event is published. */
  draftId?: string;
  fields: EventFields;
  state?: EventRow["state"] | undefined;
  editor: Editor;
  action?: LogAction | undefined;
};

/** Publishes the event with a version and a line in the log, or returns what is wrong in it. */
export async function publishEvent(
  services: Pick<Services, "site" | "clock">,
  tx: Database,
  { row, draftId, fields, state, editor, action }: Publication,
): Promise<{ kind: "published"; id: string } | { kind: "refused"; errors: FieldErrors }> {
  const checked = checkEvent(services, fields, row);
  if (checked.kind === "refused") return checked;
  const before = row && readContent(services, row);
  const { id } = await writeEvent(services, tx, row, checked.values, { draftId, state });
  const change = { fields: toEventDraft(fields), before, action, at: services.clock(), editor };
  await recordPublication(tx, { kind: "event", rowId: id }, change);
  return { kind: "published", id };
}

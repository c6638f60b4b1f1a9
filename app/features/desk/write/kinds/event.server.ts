import { z } from "zod";
import { calendarDay } from "../../../../lib/dates.ts";
import { stripControlCharacters, toSafeLine } from "../../../../lib/text/plain-text.ts";
import { siteSettingsFile } from "../../../brand/files.server.ts";
import {
  checkEvent,
  type EventFields,
  findEventOfDraft,
  findEventRow,
  lockEvent,
  openEvent,
  readEventFields,
} from "../../../events/desk-events.server.ts";
import { readNextEvents } from "../../../events/listing/coming.server.ts";
import { toEventDetails } from "../../../events/listing/describe.server.ts";
import { createEventLookup } from "../../../events/listing/gather.server.ts";
import { fromSubmission } from "../../../events/listing/to-city-event.server.ts";
import { eventsPath } from "../../../events/model.ts";
import { eventForm, toColumns } from "../../../events/submissions.server.ts";
import { publishEvent } from "../../published/publish.server.ts";
import { isEventId } from "../../waiting/model.ts";
import {
  type DraftFields,
  emptyFields,
  hasMergeLine,
  mergeLineMessage,
  titleOf,
} from "../model.ts";
import type { DraftKind, FieldErrors } from "./kind.ts";

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

/** The names of the checked fields, in the form's order. The description is the draft's text. */
const checkedFields = Object.entries({
  title: "title",
  description: "text",
  location: "location",
  day: "day",
  starts: "starts",
  ends: "ends",
  category: "category",
  url: "url",
});

const toErrors = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    checkedFields.flatMap(([checked, name]) => {
      const message = errors[checked];
      return message ? [[name, message]] : [];
    }),
  );

/** Any date of this century: a preview also shows events that cannot be published. */
const previewDay = z.iso.date().startsWith("20");

export const eventDrafts: DraftKind = {
  async open({ site }, tx, item) {
    const row = isEventId(item) ? await openEvent(tx, item) : null;
    if (!row) return null;
    const { description, ...fields } = readEventFields(row, site.read(siteSettingsFile).timeZone);
    return { id: row.draftId, fields: { ...emptyFields, ...fields, text: description } };
  },

  findItem: async (db, draftId) => (await findEventOfDraft(db, draftId))?.id ?? null,

  isOnSite: async ({ db }, item) => (await findEventRow(db, item))?.state === "approved",

  async findMissing(services, { fields, item }) {
    const row = item === null ? null : await findEventRow(services.db, item);
    const checked = checkEvent(services, toEventFields(fields), row);
    const errors = checked.kind === "refused" ? toErrors(checked.errors) : {};
    return hasMergeLine(fields.text) ? { ...errors, text: mergeLineMessage } : errors;
  },

  async prepare(services, draft, _at, editor) {
    const fields = toEventFields(draft.fields);
    return async (tx, id) => {
      const row = id === null ? null : await lockEvent(tx, id);
      const event = { row, draftId: draft.id, fields, editor };
      const result = await publishEvent(services, tx, event);
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
        id: draft.item ?? draft.id,
        decidedAt: null,
      }),
      textOverrides: { date: day ? null : "No day yet", time: starts ? null : "No time yet" },
    };
    return {
      kind: "event",
      event: toEventDetails(event, [], lookup.now, lookup),
      next: await readNextEvents(services, lookup, event),
    };
  },
};

import { z } from "zod";
import type { Database } from "../../../../db/database.ts";
import { addDays, calendarDay, instantAt, isTooLong, localTimestamp } from "../../../lib/dates.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import { toTitleSlug } from "../../../lib/text/slug.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { StoredEvent } from "../../events/import/store.server.ts";
import { isOver } from "../../events/listing/describe.server.ts";
import { toMeetingItem } from "../../events/meetings/describe.server.ts";
import { meetingsFile } from "../../events/meetings/files.server.ts";
import { toMeeting } from "../../events/meetings/gather.server.ts";
import { meetingPath } from "../../events/meetings/model.ts";
import {
  deleteOwnMeeting,
  findOwnMeeting,
  listOwnMeetings,
  lockOwnMeeting,
  writeOwnMeeting,
} from "../../events/meetings/own-meetings.server.ts";
import {
  maxDescriptionLength,
  maxLocationLength,
  maxTitleLength,
  maxUrlLength,
} from "../../events/model.ts";
import { optionalUrl, timeField, tooLongMessage } from "../../events/submissions.server.ts";
import { firstErrors, optionalText, requiredText } from "../../forms/receive.server.ts";
import type { LogAction } from "../schema.server.ts";
import type { DeskServices } from "../services.ts";
import type { EntryKind } from "./kind.ts";
import type { EntryRow } from "./model.ts";

const maxSpeakLength = 1_000;
const daysBack = 365;
const daysAhead = 730;

const line = (maxLength: number) => optionalText(maxLength).overwrite(toSafeLine);
const optionalTime = z.union([
  z.literal(""),
  timeField("Please enter a time, such as 5:30 PM, or leave this empty."),
]);

const meetingFields = (today: string) =>
  z
    .object({
      body: requiredText("Please enter who meets.", maxTitleLength).overwrite(toSafeLine),
      title: line(maxTitleLength),
      day: z.iso
        .date("Please enter a valid date.")
        .refine(
          (day) => day >= addDays(today, -daysBack) && day <= addDays(today, daysAhead),
          "Please enter a date within the last year or the next two years.",
        ),
      starts: optionalTime,
      ends: optionalTime,
      room: line(maxLocationLength),
      text: optionalText(maxDescriptionLength),
      howToSpeak: optionalText(maxSpeakLength),
      signUp: optionalUrl,
      agenda: optionalUrl,
      minutes: optionalUrl,
      video: optionalUrl,
      link: optionalUrl,
      isCorrection: z.string().default(""),
    })
    .superRefine(({ starts, ends, howToSpeak, signUp }, context) => {
      const report = (field: string, message: string) =>
        context.addIssue({ code: "custom", path: [field], message });
      if (starts === "" && ends !== "") report("starts", "Please enter when it starts, too.");
      if (isTooLong({ starts, ends })) report("ends", tooLongMessage);
      if (signUp !== "" && howToSpeak === "")
        report("howToSpeak", "Please say how to speak, or clear the form for speakers below.");
    });

const readZone = ({ site }: Pick<DeskServices, "site">) => site.read(siteSettingsFile).timeZone;

/** A day without a time lasts until the next midnight. */
function toTimes(
  { day, starts, ends }: { day: string; starts: string; ends: string },
  zone: string,
) {
  const startsAt = instantAt(day, starts || "00:00", zone);
  if (starts === "")
    return { startsAt, endsAt: instantAt(addDays(day, 1), "00:00", zone), allDay: true };
  const endDay = ends < starts ? addDays(day, 1) : day;
  return { startsAt, endsAt: ends ? instantAt(endDay, ends, zone) : startsAt, allDay: false };
}

const readMeeting = ({ site }: Pick<DeskServices, "site">, row: StoredEvent) =>
  toMeeting(row, site.read(meetingsFile));

const toItem = (services: DeskServices, row: StoredEvent) =>
  toMeetingItem(readMeeting(services, row), readZone(services));

const setCanceled = (done: LogAction, became: string, cancelled: boolean) => ({
  done,
  became,
  run: (services: DeskServices, tx: Database, row: StoredEvent) =>
    writeOwnMeeting(tx, services.clock(), { ...row, cancelled }),
});

function toRow(services: DeskServices, row: StoredEvent): EntryRow {
  const item = toItem(services, row);
  const { id, title, body, dateLine, timeLine, location, isCanceled, moved, links } = item;
  const labels = links.map(({ label }) => label).join(", ");
  return {
    id,
    title,
    facts: [body, `${dateLine}, ${timeLine}`, location, labels, moved].filter(Boolean).join(" · "),
    marks: isCanceled ? ["Canceled"] : [],
    page: meetingPath(id),
    buttons: [
      isCanceled
        ? { action: "reinstate", label: "It takes place after all" }
        : { action: "cancel", label: "Cancel meeting" },
    ],
  };
}

export const meetingEntries: EntryKind<StoredEvent> = {
  noun: "meeting",

  async list(services) {
    const rows = await listOwnMeetings(services.db);
    const isPast = (row: StoredEvent) => isOver(readMeeting(services, row), services.clock());
    const show = (list: StoredEvent[]) => list.map((row) => toRow(services, row));
    return [
      { heading: "Coming", rows: show(rows.filter((row) => !isPast(row))).toReversed() },
      { heading: "Over", rows: show(rows.filter(isPast)) },
    ];
  },

  fields({ site }, isNew) {
    const bodies = site.read(meetingsFile).bodies.map(({ name }) => name);
    const url = (name: string, label: string) =>
      ({ name, label, type: "url", maxLength: maxUrlLength }) as const;
    return [
      {
        name: "body",
        label: "Body",
        hint: "The council, board or commission that meets",
        type: "text",
        suggestions: bodies,
        maxLength: maxTitleLength,
      },
      {
        name: "title",
        label: "Title (optional)",
        hint: "The subject of a special meeting or hearing",
        type: "text",
        maxLength: maxTitleLength,
      },
      { name: "day", label: "Day", type: "date" },
      { name: "starts", label: "Starts (optional)", type: "time" },
      { name: "ends", label: "Ends (optional)", type: "time" },
      { name: "room", label: "Room (optional)", type: "text", maxLength: maxLocationLength },
      ...(isNew
        ? []
        : [
            {
              name: "isCorrection",
              label: "Do not show “Moved from …”: the earlier time or room was our mistake",
              type: "check" as const,
            },
          ]),
      {
        name: "text",
        label: "What it is about (optional)",
        hint: "Plain text",
        type: "area",
        maxLength: maxDescriptionLength,
      },
      {
        name: "howToSpeak",
        label: "How to speak (optional)",
        hint: "Without it, the text of the body in meetings.yaml is shown",
        type: "area",
        maxLength: maxSpeakLength,
      },
      url("signUp", "Form for speakers (optional)"),
      url("agenda", "Agenda (optional)"),
      url("minutes", "Minutes (optional)"),
      url("video", "Video (optional)"),
      url("link", "Official page (optional)"),
    ];
  },

  find: findOwnMeeting,
  lock: lockOwnMeeting,

  open(services, row) {
    const zone = readZone(services);
    const toTime = (instant: Date) => localTimestamp(instant, zone).slice(11, 16);
    const { startsAt, endsAt, allDay, location, howToSpeak, signUp, agenda, minutes, video } = row;
    return {
      title: toItem(services, row).title,
      typed: {
        body: row.title,
        title: row.subject,
        day: calendarDay(startsAt, zone),
        starts: allDay ? "" : toTime(startsAt),
        ends: !allDay && endsAt > startsAt ? toTime(endsAt) : "",
        room: location,
        text: row.description,
        howToSpeak,
        signUp,
        agenda,
        minutes,
        video,
        link: row.url,
      },
    };
  },

  check(services, typed) {
    const zone = readZone(services);
    const now = services.clock();
    const schema = meetingFields(calendarDay(now, zone));
    const parsed = schema.safeParse(typed);
    if (!parsed.success) return { ok: false, errors: firstErrors(schema, parsed.error) };
    const { body, title, room, text, link, day, starts, ends, isCorrection, ...fields } =
      parsed.data;
    return {
      ok: true,
      async write(tx, before, key) {
        const slug = toTitleSlug(title || body).slice(0, 60) || "meeting";
        const id = before?.id ?? `${slug}-${key.slice(0, 6)}`;
        const meeting = {
          ...fields,
          id,
          series: id,
          title: body,
          subject: title,
          description: text,
          location: room,
          url: link,
          ...toTimes({ day, starts, ends }, zone),
          cancelled: before?.cancelled ?? false,
        };
        await writeOwnMeeting(tx, now, meeting, isCorrection !== "");
        const written = await findOwnMeeting(tx, meeting.id);
        if (!written) throw new Error("The meeting was not stored.");
        return written;
      },
    };
  },

  describe(services, row) {
    const { title, dateLine, timeLine } = toItem(services, row);
    return { title, note: `${dateLine}, ${timeLine}` };
  },

  actions: {
    cancel: setCanceled("canceled", "is canceled", true),
    reinstate: setCanceled("reinstated", "takes place after all", false),
    delete: {
      done: "deleted",
      became: "is deleted",
      run: (_services, tx, { id }) => deleteOwnMeeting(tx, id),
    },
  },
};

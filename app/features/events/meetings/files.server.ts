import { z } from "zod";
import { isTooLong, maxHours } from "../../../lib/dates.ts";
import { toSlug } from "../../../lib/text/slug.ts";
import {
  calendarDate,
  calendarUrl,
  dayAndTime,
  sourceId,
  text,
  timeOfDay,
  typedText,
  webUrl,
} from "../../../site-files/site-fields.server.ts";
import {
  type SiteFile,
  siteFile,
  siteFolder,
  type ValueOf,
} from "../../../site-files/site-file.server.ts";

const howToSpeak = {
  /** How residents can speak at the meeting or send their comments. */
  howToSpeak: text.optional(),
  signUp: webUrl.optional(),
};

/** Our own meetings, one file per meeting. */
export const meetingsFolder = siteFolder(
  "meetings",
  z
    .strictObject({
      body: text,
      /** The subject of a special meeting or hearing. Without it, the body is the title. */
      title: text.optional(),
      starts: dayAndTime,
      /** A time before the start is on the next day. */
      ends: timeOfDay.optional(),
      room: text.optional(),
      agenda: webUrl.optional(),
      minutes: webUrl.optional(),
      video: webUrl.optional(),
      link: webUrl.optional(),
      ...howToSpeak,
      canceled: z.boolean("must be true or false").default(false),
      /** When or where the meeting was first planned. */
      movedFrom: z
        .strictObject({
          on: calendarDate.optional(),
          at: timeOfDay.optional(),
          room: text.optional(),
        })
        .refine(({ on, at, room }) => (on === undefined) === (at === undefined) && (on || room), {
          error: 'must be { on: 2026-12-01, at: "18:00" }, { room: Room 4 } or both',
        })
        .optional(),
      /** Marks a meeting that only shows what meetings look like here and does not take place. */
      sample: z.boolean("must be true or false").default(false),
    })
    .refine(({ howToSpeak, signUp }) => signUp === undefined || howToSpeak !== undefined, {
      path: ["signUp"],
      error: "works only together with howToSpeak",
    })
    .refine(({ starts, ends }) => !ends || !isTooLong({ starts: starts.at, ends }), {
      path: ["ends"],
      error: `is before the start. A meeting past midnight may last up to ${maxHours} hours`,
    }),
  { textOptional: true },
);

export type MeetingRecord = ValueOf<typeof meetingsFolder>;

const body = z.strictObject({
  name: text,
  /** Other names of the body in the sources. */
  aliases: z.array(typedText).default([]),
  ...howToSpeak,
});

const source = z
  .strictObject({
    id: sourceId,
    name: text,
    page: webUrl,
    calendar: calendarUrl.optional(),
    /** The public API of Legistar, such as https://webapi.legistar.com/v1/<city>. */
    legistar: webUrl.optional(),
    /** The body whose meetings the source lists, if it lists only those of one body. */
    body: text.optional(),
  })
  .refine(({ calendar, legistar }) => (calendar === undefined) !== (legistar === undefined), {
    error: "must have either a calendar or a legistar URL",
  });

const meetingsTexts = z
  .strictObject({
    title: text.default("Public Meetings"),
    description: text.default(
      "When public bodies meet: dates, rooms, agendas, minutes, recordings and how to speak.",
    ),
    heading: text.default("Public Meetings"),
    intro: text.default("Where decisions are made, and how to have a say in them."),
    bodies: z.array(body).default([]),
    sources: z.array(source).default([]),
  })
  .superRefine(({ bodies, sources }, context) => {
    const report = (list: string, index: number, field: string) =>
      context.addIssue({ code: "custom", path: [list, index, field], message: "is already used" });
    const slugs = bodies.map(({ name }) => toSlug(name));
    const ids = sources.map(({ id }) => id);
    for (const [index, slug] of slugs.entries())
      if (slugs.indexOf(slug) !== index) report("bodies", index, "name");
    for (const [index, id] of ids.entries())
      if (ids.indexOf(id) !== index) report("sources", index, "id");
  });

export type MeetingsTexts = z.output<typeof meetingsTexts>;
export type MeetingSource = MeetingsTexts["sources"][number];

/** The texts of the meetings page, the public bodies, and the sources that we import. */
export const meetingsFile: SiteFile<MeetingsTexts> = {
  ...siteFile("meetings.yaml", meetingsTexts),
  whenMissing: {
    value: meetingsTexts.parse({}),
    effect: "the page of public meetings has its default texts, and imports nothing",
  },
};

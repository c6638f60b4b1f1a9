import { z } from "zod";
import { addDays } from "../../lib/dates.ts";
import {
  calendarDate,
  calendarUrl,
  dayAndTime,
  image,
  sourceId,
  text,
  typedText,
  webUrl,
} from "../../site-files/site-fields.server.ts";
import { siteFile, siteFolder, type ValueOf } from "../../site-files/site-file.server.ts";
import { ruleStarts } from "./calendars/recurrence/expand-rule.server.ts";
import { daySeconds, localSeconds, utcClock } from "./calendars/recurrence/local-time.server.ts";
import { toRecurrenceRule } from "./calendars/recurrence/repeats.ts";
import { importedSource } from "./import/store.server.ts";

export type EventTime = z.output<typeof dayAndTime>;

const monthOrRange = /^(1[0-2]|[1-9])(-(1[0-2]|[1-9]))?$/;

/**
 * The months in which an event may take place, as numbers and ranges. A range may span New Year.
 */
const months = z
  .array(
    z
      .unknown()
      .transform(String)
      .refine(
        (entry) => monthOrRange.test(entry),
        "must be a month from 1 to 12, or a range such as 5-9 or 11-2",
      ),
    "must be a list of months, such as [5, 6, 7] or [5-9]",
  )
  .min(1, "must list at least one month")
  .transform((entries) => entries.flatMap(parseMonths));

function parseMonths(range: string): number[] {
  const [first = 1, last = first] = range.split("-").map(Number);
  const count = ((last - first + 12) % 12) + 1;
  return Array.from({ length: count }, (_, index) => ((first - 1 + index) % 12) + 1);
}

/** `day` is YYYY-MM-DD. Without a list of months, every date is in season. */
export const isInSeason = (day: string, months: number[] | undefined) =>
  months === undefined || months.includes(Number(day.slice(5, 7)));

/** Returns the day itself if it is in season, else the first day of the next month in season. */
export function nextDayInSeason(day: string, months: number[] | undefined): string {
  if (isInSeason(day, months)) return day;
  const next = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  do next.setUTCMonth(next.getUTCMonth() + 1);
  while (!isInSeason(next.toISOString(), months));
  return next.toISOString().slice(0, 10);
}

type Start = { on: string; at: string };

function readRuleOn(day: string, rule: string, starts: Start) {
  const from = new Date(`${day}T00:00:00Z`);
  const until = new Date(from.getTime() + daySeconds * 1000);
  const start = localSeconds(starts.on, starts.at);
  return ruleStarts(rule, { start, clock: utcClock }, { from, until }, 1);
}

const isDateOf = (day: string, rule: string, starts: Start): boolean =>
  (readRuleOn(day, rule, starts)?.starts.length ?? 0) > 0;

/**
 * Whether a day is one of the weekdays of a rule, if the rule names any. Calendars add the first
 * date of a series even if it is not, which is never what the newsroom means.
 */
function isOnWeekday({ on, at }: Start, rule: string): boolean {
  if (!/BYDAY=/i.test(rule)) return true;
  const endless = rule.replaceAll(/;(?:COUNT|UNTIL|INTERVAL)=[^;]*/gi, "");
  return isDateOf(on, endless, { on: addDays(on, -1), at });
}

const weekday = (day: string) =>
  new Date(day).toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" });

const ruleMessage =
  "must be written like these: weekly until 2027-03-01; every Thursday, 10 times; first Saturday of the month. Or write a recurrence rule, such as FREQ=WEEKLY;COUNT=10, with at most one time per day";

/** How often an event repeats, in words or as a recurrence rule (RFC 5545). */
const repeats = z.string().transform((written) => toRecurrenceRule(written) ?? written);

const maxPriceLength = 40;

/** Our own events, one file per event. */
export const eventsFolder = siteFolder(
  "events",
  z
    .strictObject({
      title: text,
      excerpt: text,
      category: text,
      location: text,
      free: z.boolean().default(false),
      /** What admission costs, such as "$12" or "$5 to $10". */
      price: text.max(maxPriceLength).optional(),
      /** Marks an event that only shows what events look like here and does not take place. */
      sample: z.boolean("must be true or false").default(false),
      starts: dayAndTime,
      ends: dayAndTime,
      repeats: repeats.optional(),
      except: z.array(calendarDate).default([]),
      /**
       * The season of the event. A series skips its dates outside the season. A date that is given
       * as days from today moves to the next day in season.
       */
      months: months.optional(),
      /** Shown in place of the date, such as "Every Saturday in June". */
      dateText: text.optional(),
      timeText: text.optional(),
      link: webUrl.optional(),
      agenda: webUrl.optional(),
      image: image.optional(),
    })
    .superRefine(({ starts, ends }, context) => {
      const message = findEndProblem(starts, ends);
      if (message !== null) context.addIssue({ code: "custom", path: ["ends"], message });
    })
    .refine(({ free, price }) => !free || price === undefined, {
      path: ["price"],
      error: "must not be set for an event that is free",
    })
    .refine(({ starts, months }) => !("on" in starts) || isInSeason(starts.on, months), {
      path: ["months"],
      error: "must include the month in which the event starts",
    })
    .superRefine(({ starts, repeats, except }, context) => {
      const refuse = (path: PropertyKey[], message: string) =>
        context.addIssue({ code: "custom", path, message });
      if (repeats === undefined) {
        if (except.length > 0) refuse(["except"], "works only together with repeats");
        return;
      }
      const first = "on" in starts ? starts : { on: "2026-01-01", at: starts.at };
      const result = readRuleOn(first.on, repeats, first);
      if (!result) return refuse(["repeats"], ruleMessage);
      if (!("on" in starts)) return;
      if (result.starts.length === 0) refuse(["repeats"], "ends before the event starts");
      else if (!isOnWeekday(starts, repeats))
        refuse(
          ["repeats"],
          `does not include the first date, ${starts.on}, a ${weekday(starts.on)}`,
        );
      for (const [index, day] of except.entries())
        if (!isDateOf(day, repeats, starts))
          refuse(["except", index], `is ${day}, which is not a date of this event`);
    }),
  { textOptional: true },
);

export type EventRecord = ValueOf<typeof eventsFolder>;

/**
 * Says what is wrong with the end of an event. A date and a number of days from today cannot be
 * compared, because their order changes from day to day.
 */
function findEndProblem(starts: EventTime, ends: EventTime): string | null {
  const tooEarly = "must not be before the start";
  if ("on" in starts) {
    if (!("on" in ends)) return `must be a day such as ${starts.on}, as the start is`;
    return `${ends.on} ${ends.at}` < `${starts.on} ${starts.at}` ? tooEarly : null;
  }
  if (!("inDays" in ends)) return "must be a number of days from today (inDays), as the start is";
  const days = ends.inDays - starts.inDays;
  return days < 0 || (days === 0 && ends.at < starts.at) ? tooEarly : null;
}

const label = z.strictObject({ label: text });
const field = z.strictObject({ label: text, hint: text });

export const eventsFile = siteFile(
  "events.yaml",
  z
    .strictObject({
      title: text,
      description: text,
      heading: text,
      intro: text,
      /** Another service's events wall, which is shown in place of ours. */
      outside: z
        .strictObject({
          service: z.strictObject({ key: typedText, name: text }),
          url: webUrl,
          poster: image,
        })
        .optional(),
      categories: z
        .array(z.strictObject({ name: text, words: z.array(typedText.toLowerCase()) }))
        .min(1),
      sources: z.array(
        z.strictObject({
          id: sourceId,
          name: text,
          url: calendarUrl,
          page: webUrl,
          category: text,
          free: z.boolean().default(false),
        }),
      ),
      history: z.strictObject({
        heading: text,
        text,
        links: z.array(z.strictObject({ label: text, url: webUrl, text })).max(2),
      }),
      submit: z.strictObject({
        title: text,
        description: text,
        heading: text,
        intro: text,
        fields: z.strictObject({
          title: field,
          location: field,
          description: field,
          url: field,
          name: field,
          email: field,
          day: label,
          starts: label,
          ends: label,
          category: label,
          free: label,
          consent: label,
        }),
        button: text,
        thanks: z.strictObject({ heading: text, text }),
        lifetime: text,
      }),
    })
    .superRefine(({ sources, categories }, context) => {
      const names = categories.map(({ name }) => name);
      const ids = sources.map(({ id }) => id);
      for (const [index, { id, category }] of sources.entries()) {
        const report = (name: string, message: string) =>
          context.addIssue({ code: "custom", path: ["sources", index, name], message });
        if (!names.includes(category)) report("category", "is not one of the categories");
        if (ids.indexOf(id) !== index || id === importedSource) report("id", "is already used");
      }
    }),
);

export type EventsTexts = ValueOf<typeof eventsFile>;

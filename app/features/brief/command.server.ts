import type { Database } from "../../../db/database.ts";
import { type Clock, calendarDay, clockTime } from "../../lib/dates.ts";
import { isDay } from "../../lib/is-day.ts";
import { refuseCommand } from "../../lib/newsroom/command-error.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import { type Command, verb } from "../../platform/command.ts";
import { noPage } from "../../platform/services.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { makeBriefNow, removeBrief, removeHeadline } from "./make.server.ts";
import { briefDayPath, findDueDay, nextBriefAt } from "./model.ts";
import { readBriefPage, readLatestBriefPage } from "./page.server.ts";
import type { BriefPageContent } from "./pages/brief-page.tsx";
import { isBriefRemoved } from "./read.server.ts";

type BriefChange = {
  action: "published" | "published again" | "removed";
  kind: "brief" | "headline";
  title: string;
  note?: string;
};

/** Writes to the log of the desk what a command changed, in the transaction of the change. */
type LogChange = (tx: Database, clock: Clock, change: BriefChange) => Promise<unknown>;

function requireDay(day: string | undefined, name: string): void {
  if (day !== undefined && !isDay(day))
    refuseCommand(`"${day}" is not a date. Type it as in: ./newsroom brief ${name} 2026-11-15`);
}

const showVerb = verb({
  summary: "Print a brief as readers see it.",
  arguments: {
    day: { description: "the day, such as 2026-11-15; the latest brief by default" },
  },
  async run(context, { day }) {
    requireDay(day, "show");
    const services = { ...(await context.services()), ...noPage };
    const { timeZone, origin } = services.site.read(siteSettingsFile);
    const now = services.clock();
    const today = calendarDay(now, timeZone);
    const page =
      day === undefined
        ? (await readLatestBriefPage(services)).page
        : await readBriefPage(services, day);
    if (page) {
      for (const line of describeBrief(page)) context.print(line);
      context.print(`\n${origin}${briefDayPath(page.brief.day)}`);
      context.result(page.brief);
      return 0;
    }
    const nextTime = clockTime(nextBriefAt(now, timeZone), timeZone);
    if (day !== undefined && day > today)
      context.print(`${day} is in the future, so there is no brief for it yet.`);
    else if (day !== undefined && day < today) context.print(`There is no brief for ${day}.`);
    else if (await isBriefRemoved(services, today))
      context.print('The brief of today was removed. To make it: "./newsroom brief make --again".');
    else if (findDueDay(now, timeZone) === null)
      context.print(
        `The brief of today is made at ${nextTime}. To make it now: "./newsroom brief make".`,
      );
    else
      context.print(
        'The brief of today is not made yet. The server makes it within a minute; otherwise run "./newsroom brief make".',
      );
    context.result(null);
    return 1;
  },
});

const createMakeVerb = (logChange: LogChange) =>
  verb({
    summary: "Make the brief of today now, without waiting until it is due.",
    options: {
      again: { type: "flag", description: "replace the brief of today, if it was already made" },
    },
    async run(context, { again }) {
      const services = { ...(await context.services()), ...noPage };
      const { timeZone } = services.site.read(siteSettingsFile);
      const day = await makeBriefNow(services, { again }, (tx, { day, isNew }) =>
        logChange(tx, services.clock, {
          action: isNew ? "published" : "published again",
          kind: "brief",
          title: day,
        }),
      );
      if (day === null) {
        context.print(
          (await isBriefRemoved(services, calendarDay(services.clock(), timeZone)))
            ? 'The brief of today was removed. Run "./newsroom brief make --again" to make it from the headlines, events and stories of now.'
            : 'The brief of today was already made. Run "./newsroom brief make --again" to replace it with the headlines, events and stories of now.',
        );
        context.result({ isMade: false });
        return 1;
      }
      const isEarly = findDueDay(services.clock(), timeZone) === null;
      context.print(
        `✓ Made the brief of ${day}.${isEarly ? ` It will not be made again at seven; to update it, run "./newsroom brief make --again".` : ""}`,
      );
      const page = await readBriefPage(services, day);
      for (const line of page ? describeBrief(page) : []) context.print(line);
      context.result({ isMade: true, brief: page?.brief ?? null });
      return 0;
    },
  });

const createRemoveVerb = (logChange: LogChange) =>
  verb({
    summary: "Remove a brief, or one of its headlines.",
    arguments: {
      day: { description: "the day of the brief, such as 2026-11-15", required: true },
    },
    options: {
      headline: {
        type: "integer",
        value: "number",
        min: 1,
        description: 'remove only this headline, by its number in "brief show"',
      },
    },
    async run(context, { day, headline: number }) {
      requireDay(day, "remove");
      const services = { ...(await context.services()), ...noPage };
      const { timeZone } = services.site.read(siteSettingsFile);
      const page = await readBriefPage(services, day);
      const brief = page?.brief;
      if (number === undefined) {
        const isRemoved = await services.db.transaction(async (tx) => {
          const isDone = await removeBrief({ ...services, db: tx }, day);
          const entry = { action: "removed", kind: "brief", title: day } as const;
          if (isDone) await logChange(tx, services.clock, entry);
          return isDone;
        });
        const isToday = day === calendarDay(services.clock(), timeZone);
        context.print(
          isRemoved ? `✓ Removed the brief of ${day}.` : `There is no brief for ${day}.`,
        );
        for (const line of isRemoved && page ? describeBrief(page) : []) context.print(line);
        if (isRemoved && isToday)
          context.print(
            '\nThe server does not make it again. To do so: "./newsroom brief make --again".',
          );
        context.result({ isRemoved });
        return isRemoved ? 0 : 1;
      }
      const headline = brief?.headlines[number - 1];
      if (!brief || !headline) {
        context.print(
          brief
            ? `The brief of ${day} has ${formatCount(brief.headlines.length, "headline")}. Run "./newsroom brief show ${day}" to see their numbers.`
            : `There is no brief for ${day}.`,
        );
        context.result({ isRemoved: false });
        return 1;
      }
      const { events, stories } = brief;
      const hasNews =
        brief.headlines.length > 1 || [...events, ...stories].some(({ isSample }) => !isSample);
      const isRemoved = await services.db.transaction(async (tx) => {
        const isDone = await removeHeadline(tx, day, headline.link, { hasNews });
        const { title } = headline;
        const note = `from the brief of ${day}`;
        const entry = { action: "removed", kind: "headline", title, note } as const;
        if (isDone) await logChange(tx, services.clock, entry);
        return isDone;
      });
      context.print(
        isRemoved
          ? `✓ Removed from the brief of ${day}: ${headline.title} (${headline.source})`
          : `The brief of ${day} was changed at the same moment. Run "./newsroom brief show ${day}" and try again.`,
      );
      context.result({ isRemoved, headline });
      return isRemoved ? 0 : 1;
    },
  });

export function describeBrief({ brief, alerts, notice, onAir }: BriefPageContent): string[] {
  const parts = [
    {
      heading: "Alerts",
      lines: alerts.map(({ level, text, times }) => `${level}: ${text} (${times})`),
    },
    {
      heading: "Headlines",
      lines: brief.headlines.flatMap(({ title, source, time, paywall, summary }, index) => [
        joinFacts(`${index + 1}. ${title} (${source})`, time.shown, paywall && "Subscription"),
        indent(summary),
      ]),
    },
    {
      heading: "Good to know",
      lines: brief.goodToKnow.flatMap(({ title, summary }) => [title, indent(summary)]),
    },
    {
      heading: brief.areEventsToday ? "Events today" : "Coming up",
      lines: brief.events.map(({ when, title, location, isCanceled, isSample }) =>
        joinFacts(`${when}: ${title}`, location, isCanceled && "Canceled", isSample && "Sample"),
      ),
    },
    {
      heading: "Public meetings",
      lines: brief.meetings.map(({ when, title, time, location, change, isSample }) =>
        joinFacts(
          `${when}: ${title}${time && `, ${time}`}`,
          location,
          change,
          isSample && "Sample",
        ),
      ),
    },
    {
      heading: "From our newsroom",
      lines: brief.stories.flatMap(({ title, date, isSample, isFromReader, excerpt }) => [
        joinFacts(title, date, isSample && "Sample", isFromReader && "From a reader"),
        indent(excerpt),
      ]),
    },
    { heading: "Did you know?", lines: brief.fact ? [brief.fact.text] : [] },
    { heading: "On air", lines: onAir ? [`${onAir.station}: ${onAir.text}`] : [] },
  ];
  return [
    `${brief.date}, made at ${brief.madeAt.shown}`,
    ...(notice === null ? [] : [notice]),
    ...parts
      .map(({ heading, lines }) => ({ heading, lines: lines.filter((line) => line.trim() !== "") }))
      .filter(({ lines }) => lines.length > 0)
      .flatMap(({ heading, lines }) => [`\n${heading}`, ...lines.map((line) => `  ${line}`)]),
  ];
}

const joinFacts = (...facts: (string | false | null)[]) => facts.filter(Boolean).join(" · ");
const indent = (text: string) => `   ${text}`;

export const createBriefCommand = (logChange: LogChange): Command => ({
  name: "brief",
  group: "Content",
  summary: "Show a daily brief, make the brief of today, or remove something from a brief.",
  examples: [
    "brief show",
    "brief show 2026-11-15",
    "brief make --again",
    "brief remove 2026-11-15 --headline 3",
  ],
  verbs: { show: showVerb, make: createMakeVerb(logChange), remove: createRemoveVerb(logChange) },
});

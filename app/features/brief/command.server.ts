import { calendarDay } from "../../lib/dates.ts";
import { type Command, type CommandContext, verb } from "../../platform/command.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { makeBriefNow } from "./make.server.ts";
import { type Brief, briefDayPath, findDueDay, isDay, nextBriefAt } from "./model.ts";
import { findBrief, findLatestBrief, formatTimeOfDay } from "./read.server.ts";

export const briefCommand: Command = {
  name: "brief",
  group: "Content",
  summary: "Show a daily brief, or make the brief of today.",
  examples: ["brief show", "brief show 2026-11-15", "brief make", "brief make --again"],
  verbs: {
    show: verb({
      summary: "Print a brief as readers see it.",
      arguments: {
        day: { description: "the day, such as 2026-11-15; the latest brief by default" },
      },
      run: ({ day }, _options, context) => show(context, day),
    }),
    make: verb({
      summary: "Make the brief of today now, without waiting until it is due.",
      options: {
        again: { type: "flag", description: "replace the brief of today, if it was already made" },
      },
      run: (_args, { again }, context) => make(context, again),
    }),
  },
};

/** A command has no page, so nothing has to be rendered again. */
const withoutPage = { tags: { add() {} }, expireAt() {} };

async function show(context: CommandContext, day: string | undefined): Promise<number> {
  if (day !== undefined && !isDay(day)) {
    context.print(`"${day}" is not a date. Type it as in: brief show 2026-11-15`);
    return 2;
  }
  const services = { ...(await context.services()), ...withoutPage };
  const { timeZone, origin } = services.site.read(siteSettingsFile);
  const now = services.clock();
  const today = calendarDay(now, timeZone);
  const brief = await (day === undefined ? findLatestBrief(services) : findBrief(services, day));
  if (brief) {
    for (const line of describeBrief(brief)) context.print(line);
    context.print(`\n${origin}${briefDayPath(brief.day)}`);
    context.result(brief);
    return 0;
  }
  const nextTime = formatTimeOfDay(nextBriefAt(now, timeZone), timeZone);
  if (day === undefined)
    context.print(`There is no brief yet. The first is made at ${nextTime}, or by "brief make".`);
  else if (day > today) context.print(`${day} is in the future, so there is no brief for it yet.`);
  else if (day === today && findDueDay(now, timeZone) === null)
    context.print(`The brief of today is made at ${nextTime}.`);
  else context.print(`There is no brief for ${day}.`);
  context.result(null);
  return 1;
}

async function make(context: CommandContext, again: boolean): Promise<number> {
  const services = { ...(await context.services()), ...withoutPage };
  const { timeZone } = services.site.read(siteSettingsFile);
  const day = await makeBriefNow(services, { again });
  if (day === null) {
    context.print(
      'The brief of today was already made. Run "brief make --again" to replace it with the headlines, events and stories of now.',
    );
    context.result({ isMade: false });
    return 1;
  }
  const isEarly = findDueDay(services.clock(), timeZone) === null;
  context.print(
    `✓ Made the brief of ${day}.${isEarly ? " It will not be made again when it is due; run this command with --again to update it." : ""}`,
  );
  const brief = await findBrief(services, day);
  for (const line of brief ? describeBrief(brief) : []) context.print(line);
  context.result({ isMade: true, brief });
  return 0;
}

function describeBrief(brief: Brief): string[] {
  const mark = ({ isSample }: { isSample: boolean }) => (isSample ? " (sample)" : "");
  const parts = [
    {
      heading: "Headlines",
      lines: brief.headlines.map(({ title, source }) => `${title} (${source})`),
    },
    { heading: "Good to know", lines: brief.goodToKnow.map(({ title }) => title) },
    {
      heading: brief.areEventsToday ? "Events today" : "Coming up",
      lines: brief.events.map((event) => `${event.when}: ${event.title}${mark(event)}`),
    },
    {
      heading: "From our newsroom",
      lines: brief.stories.map((story) => `${story.title}${mark(story)}`),
    },
    { heading: "Did you know?", lines: brief.fact ? [brief.fact.text] : [] },
  ];
  return [
    `${brief.date}, made at ${brief.madeAt.shown}`,
    ...parts
      .filter(({ lines }) => lines.length > 0)
      .flatMap(({ heading, lines }) => [`\n${heading}`, ...lines.map((line) => `  ${line}`)]),
  ];
}

import { calendarDay } from "../../../lib/dates.ts";
import { isDay } from "../../../lib/is-day.ts";
import { refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import { type Command, verb } from "../../../platform/command.ts";
import { noPage } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { makeBriefNow, removeBrief, removeHeadline } from "../../brief/make.server.ts";
import { briefDayPath, findDueDay } from "../../brief/model.ts";
import { findBrief, isBriefRemoved } from "../../brief/read.server.ts";
import { logCommand } from "../log/log.server.ts";

const makeVerb = verb({
  summary: "Make the brief of today now, without waiting until it is due.",
  options: {
    again: { type: "flag", description: "replace the brief of today, if it was already made" },
  },
  async run(context, { again }) {
    const services = { ...(await context.services()), ...noPage };
    const { timeZone, origin } = services.site.read(siteSettingsFile);
    const day = await makeBriefNow(services, { again }, (tx, { day, isNew }) =>
      logCommand(tx, services.clock, {
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
    context.print(origin + briefDayPath(day));
    context.result({ isMade: true, day });
    return 0;
  },
});

const removeVerb = verb({
  summary: "Remove a brief, or one of its headlines.",
  arguments: {
    day: { description: "the day of the brief, such as 2026-11-15", required: true },
  },
  options: {
    headline: {
      type: "integer",
      value: "number",
      min: 1,
      description: "remove only this headline, by its number in the brief",
    },
  },
  async run(context, { day, headline: number }) {
    if (!isDay(day))
      refuseCommand(`"${day}" is not a date. Type it as in: ./newsroom brief remove 2026-11-15`);
    const services = { ...(await context.services()), ...noPage };
    const { timeZone } = services.site.read(siteSettingsFile);
    if (number === undefined) {
      const isRemoved = await services.db.transaction(async (tx) => {
        const isDone = await removeBrief(tx, day);
        const entry = { action: "removed", kind: "brief", title: day } as const;
        if (isDone) await logCommand(tx, services.clock, entry);
        return isDone;
      });
      const isToday = day === calendarDay(services.clock(), timeZone);
      context.print(isRemoved ? `✓ Removed the brief of ${day}.` : `There is no brief for ${day}.`);
      if (isRemoved && isToday)
        context.print(
          '\nThe server does not make it again. To do so: "./newsroom brief make --again".',
        );
      context.result({ isRemoved });
      return isRemoved ? 0 : 1;
    }
    const brief = await findBrief(services, day);
    const headline = brief?.headlines[number - 1];
    if (!brief || !headline) {
      context.print(
        brief
          ? `The brief of ${day} has ${formatCount(brief.headlines.length, "headline")}.`
          : `There is no brief for ${day}.`,
      );
      context.result({ isRemoved: false });
      return 1;
    }
    const isRemoved = await services.db.transaction(async (tx) => {
      const isDone = await removeHeadline(tx, day, headline.link);
      const { title } = headline;
      const note = `from the brief of ${day}`;
      const entry = { action: "removed", kind: "headline", title, note } as const;
      if (isDone) await logCommand(tx, services.clock, entry);
      return isDone;
    });
    context.print(
      isRemoved
        ? `✓ Removed from the brief of ${day}: ${headline.title} (${headline.source})`
        : `The brief of ${day} was changed at the same moment. Please try again.`,
    );
    context.result({ isRemoved, headline });
    return isRemoved ? 0 : 1;
  },
});

export const briefCommand: Command = {
  name: "brief",
  group: "Content",
  summary: "Make the daily brief again, or remove something from a brief.",
  examples: ["brief make --again", "brief remove 2026-11-15 --headline 3"],
  verbs: { make: makeVerb, remove: removeVerb },
};

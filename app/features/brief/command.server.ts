import type { Database } from "../../../db/database.ts";
import { type Clock, calendarDay } from "../../lib/dates.ts";
import { isDay } from "../../lib/is-day.ts";
import { refuseCommand } from "../../lib/newsroom/command-error.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import { type Command, verb } from "../../platform/command.ts";
import { noPage } from "../../platform/services.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { makeBriefNow, removeBrief, removeHeadline } from "./make.server.ts";
import { briefDayPath, findDueDay } from "./model.ts";
import { findBrief, isBriefRemoved } from "./read.server.ts";

type BriefChange = {
  action: "published" | "published again" | "removed";
  kind: "brief" | "headline";
  title: string;
  note?: string;
};

/** Writes to the log of the desk what a command changed, in the transaction of the change. */
type LogChange = (tx: Database, clock: Clock, change: BriefChange) => Promise<unknown>;

const createMakeVerb = (logChange: LogChange) =>
  verb({
    summary: "Make the brief of today now, without waiting until it is due.",
    options: {
      again: { type: "flag", description: "replace the brief of today, if it was already made" },
    },
    async run(context, { again }) {
      const services = { ...(await context.services()), ...noPage };
      const { timeZone, origin } = services.site.read(siteSettingsFile);
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
      context.print(origin + briefDayPath(day));
      context.result({ isMade: true, day });
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
          if (isDone) await logChange(tx, services.clock, entry);
          return isDone;
        });
        const isToday = day === calendarDay(services.clock(), timeZone);
        context.print(
          isRemoved ? `✓ Removed the brief of ${day}.` : `There is no brief for ${day}.`,
        );
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
        if (isDone) await logChange(tx, services.clock, entry);
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

export const createBriefCommand = (logChange: LogChange): Command => ({
  name: "brief",
  group: "Content",
  summary: "Make the daily brief again, or remove something from a brief.",
  examples: ["brief make --again", "brief remove 2026-11-15 --headline 3"],
  verbs: { make: createMakeVerb(logChange), remove: createRemoveVerb(logChange) },
});

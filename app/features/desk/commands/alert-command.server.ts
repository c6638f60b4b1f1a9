import { shortTimestamp } from "../../../lib/dates.ts";
import { fail, refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { shortenId } from "../../../lib/newsroom/printing.ts";
import { listAllOption } from "../../../lib/newsroom/selection.ts";
import { type Command, type CommandContext, noVerb, verb } from "../../../platform/command.ts";
import type { Services } from "../../../platform/services.ts";
import {
  type Checked,
  checkLink,
  checkText,
  checkUntil,
  findMissingPage,
  type Pages,
} from "../../alerts/input.ts";
import { type Alert, type AlertLevel, alertLevels, isOver, isRunning } from "../../alerts/model.ts";
import { changeAlert, createAlert, readAlerts } from "../../alerts/store.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { commandEditor, writeLog } from "../log/log.server.ts";
import { chooseOnly, openAlerts, pickAlerts, printAlerts } from "./choose-alerts.server.ts";
import { endAlertVerb } from "./end-alert-verb.server.ts";

/** How long an alert runs if the editor named no end. */
const defaultHours = 24;

function requireValue<T>(checked: Checked<T>): T {
  if (!checked.ok) refuseCommand(checked.message);
  return checked.value;
}

/**
 * A single word, or one with an id or "all", is more likely a verb that does not exist: "stop all".
 */
function requireText(typed: string): string {
  const text = requireValue(checkText(typed));
  const words = text.split(" ").filter((word) => !/^(?:[0-9a-f-]{4,}|all)$/.test(word));
  if (words.length < 2)
    refuseCommand(
      'This is too short for an alert. To end one: "alert end". To see them: "alert list".',
    );
  return text;
}

function readLevel(typed: string): AlertLevel {
  const level = alertLevels.find((each) => each === typed);
  if (!level) refuseCommand(`"--level ${typed}" does not exist. Use notice or urgent.`);
  return level;
}

const untilOption = (description: string) =>
  ({ type: "string", value: "time", description }) as const;
const timeExamples = '18:00 for the next such time in the city, or "2026-11-20 18:00"';

const noteEnd = (endsAt: Date, timeZone: string) => `Until ${shortTimestamp(endsAt, timeZone)}`;

type OpenPages = (services: Services) => Pages;

const createVerb = (openPages: OpenPages) =>
  verb({
    summary: "Put a sentence on every page.",
    arguments: { text: { required: true, repeated: true, description: "the sentence, in quotes" } },
    options: {
      until: untilOption(`when it ends: ${timeExamples}; in ${defaultHours} hours by default`),
      link: { type: "string", value: "link", description: "a page of this site, or a URL" },
      level: { type: "string", value: "level", description: "notice (the default) or urgent" },
    },
    async run(context, { text: words, until, link, level: typedLevel = "notice" }) {
      const text = requireText(words.join(" "));
      const services = await context.services();
      const { db, clock, site } = services;
      const { timeZone } = site.read(siteSettingsFile);
      const now = clock();
      const level = readLevel(typedLevel);
      const same = (await readAlerts(services)).find(
        (alert) => alert.text === text && isRunning(alert, now),
      );
      if (same)
        fail(
          `This alert is running. To change it: ./newsroom alert extend ${shortenId(same.id)} …`,
        );
      const content = {
        text,
        link: requireValue(checkLink(link ?? "")),
        level,
        startsAt: now,
        endsAt:
          until === undefined
            ? new Date(now.getTime() + defaultHours * 3_600_000)
            : requireValue(checkUntil(until, now, timeZone)),
      };
      const id = await db.transaction(async (tx) => {
        const id = await createAlert(tx, content);
        await writeLog(tx, clock, commandEditor, {
          action: "put up",
          kind: level === "urgent" ? "urgent alert" : "alert",
          items: [id],
          title: text,
          note: noteEnd(content.endsAt, timeZone),
        });
        return id;
      });
      context.result(toJson({ ...content, id, source: "editor", updatedAt: now }));
      context.print(describeShown(context, content, timeZone));
      context.print(`  To end it earlier: ./newsroom alert end ${shortenId(id)}`);
      await warnAboutLink(context, openPages(services), { id, link: content.link });
      return 0;
    },
  });

/** The alert is on all pages anyway, because the page it leads to may follow in a minute. */
async function warnAboutLink(
  { print }: CommandContext,
  pages: Pages,
  { id, link }: Pick<Alert, "id" | "link">,
): Promise<void> {
  const missing = await findMissingPage(pages, link);
  if (missing === null) return;
  print(`! Its link leads nowhere: there is no page ${missing} on this site.`);
  print(`  To correct it: ./newsroom alert extend ${shortenId(id)} --link /news/…`);
}

const listVerb = verb({
  summary: "List the alerts that run or are to come.",
  options: listAllOption("include those of the past year"),
  async run(context, { all }) {
    const { alerts, now, timeZone } = await openAlerts(context);
    const shown = alerts.filter((alert) => all || !isOver(alert, now));
    context.result(shown.map(toJson));
    if (shown.length === 0) {
      context.print(all ? "There were no alerts in the past year." : "No alert is running.");
      return;
    }
    printAlerts(context, shown, timeZone);
  },
});

const extendVerb = (openPages: OpenPages) =>
  verb({
    summary:
      "Change when an alert ends, its text, link or level. Without an id, of the only one that runs.",
    arguments: { id: { description: 'the id that "alert list" shows' } },
    options: {
      until: untilOption(timeExamples),
      text: { type: "string", value: "sentence", description: "the new sentence, in quotes" },
      link: { type: "string", value: "link", description: "a page of this site, or a URL" },
      level: { type: "string", value: "level", description: "notice or urgent" },
    },
    async run(context, { id: typed, until, text: typedText, link: typedLink, level: typedLevel }) {
      if ([until, typedText, typedLink, typedLevel].every((each) => each === undefined))
        refuseCommand("Add what is to change: --until, --text, --link or --level.");
      const { services, alerts, now, timeZone } = await openAlerts(context);
      const open = alerts.filter((alert) => !isOver(alert, now));
      const [alert] =
        typed === undefined
          ? [chooseOnly(context, open, timeZone, "extend")]
          : await pickAlerts([typed], open);
      if (!alert) return 1;
      const endsAt =
        until === undefined ? alert.endsAt : requireValue(checkUntil(until, now, timeZone));
      const text = typedText === undefined ? alert.text : requireText(typedText);
      const link = typedLink === undefined ? alert.link : requireValue(checkLink(typedLink));
      const level = typedLevel === undefined ? alert.level : readLevel(typedLevel);
      if (alert.source !== "editor")
        fail(
          alert.source === "file"
            ? "It comes from notice.yaml: change it there."
            : "It comes from an authority, and only the authority can change it.",
        );
      const { db, clock } = services;
      const isChanged = await db.transaction(async (tx) => {
        const isChanged = await changeAlert(tx, clock, alert.id, { text, endsAt, link, level });
        if (isChanged)
          await writeLog(tx, clock, commandEditor, {
            action: until === undefined ? "changed" : "extended",
            kind: "alert",
            items: [alert.id],
            title: text,
            note: until === undefined ? "" : noteEnd(endsAt, timeZone),
          });
        return isChanged;
      });
      if (!isChanged) fail(`It has just ended: ${alert.text}`);
      context.result(toJson({ ...alert, text, endsAt, link, level, updatedAt: now }));
      context.print(describeShown(context, { text, endsAt }, timeZone));
      if (typedLink !== undefined)
        await warnAboutLink(context, openPages(services), { id: alert.id, link });
      return 0;
    },
  });

const describeShown = (
  { isServing }: CommandContext,
  { text, endsAt }: Pick<Alert, "text" | "endsAt">,
  timeZone: string,
): string =>
  `✓ Every page shows it${isServing ? "" : " as soon as a server runs,"} until ${shortTimestamp(endsAt, timeZone)}: ${text}`;

const toJson = (alert: Omit<Alert, "isStored" | "canDelete">) => ({
  id: alert.id,
  source: alert.source,
  text: alert.text,
  level: alert.level,
  link: alert.link,
  startsAt: alert.startsAt,
  endsAt: alert.endsAt,
  updatedAt: alert.updatedAt,
});

export const createAlertCommand = (openPages: OpenPages): Command => ({
  name: "alert",
  group: "Content",
  summary: "Put a sentence on every page, change it or end it.",
  examples: [
    'alert "Water main break downtown" --until 18:00 --link /news/water --level urgent',
    "alert list",
    "alert extend --until 20:00",
    'alert extend --text "Water is back downtown, boil it until Friday"',
    "alert end",
    "alert end 91a47ea0 --delete",
  ],
  verbs: {
    [noVerb]: createVerb(openPages),
    list: listVerb,
    end: endAlertVerb,
    extend: extendVerb(openPages),
  },
});

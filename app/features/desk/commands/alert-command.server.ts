import { shortTimestamp } from "../../../lib/dates.ts";
import { fail, refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { formatCount, shortenId } from "../../../lib/newsroom/printing.ts";
import {
  findByIdStart,
  isIdPrefix,
  listAllOption,
  oneOrMany,
  pickAll,
} from "../../../lib/newsroom/selection.ts";
import { type Command, type CommandContext, noVerb, verb } from "../../../platform/command.ts";
import type { Services } from "../../../platform/services.ts";
import type { Checked } from "../../alerts/input.ts";
import { type Alert, type AlertLevel, alertLevels, isRunning } from "../../alerts/model.ts";
import { readAlerts } from "../../alerts/store.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { deleteMistakes, editAlert, endNow, publishAlert } from "../alerts/write-alerts.server.ts";
import { commandEditor } from "../log/log.server.ts";

/** How long an alert runs if the editor named no end. */
const defaultHours = 24;

function requireValue<T>(checked: Checked<T>): T {
  if (!checked.ok) refuseCommand(checked.message);
  return checked.value;
}

/**
 * A single word, or one with an id or "all", is more likely a verb that does not exist: "stop all".
 */
function refuseVerb(text: string): void {
  const words = text.split(/\s+/).filter((word) => !/^(?:all)?$/.test(word) && !isIdPrefix(word));
  if (words.length < 2)
    refuseCommand(
      'This is too short for an alert. To end one: "alert end". To see them: "alert list".',
    );
}

function readLevel(typed: string): AlertLevel {
  const level = alertLevels.find((each) => each === typed);
  if (!level) refuseCommand(`"--level ${typed}" does not exist. Use notice or urgent.`);
  return level;
}

const untilOption = (description: string) =>
  ({ type: "string", value: "time", description }) as const;
const timeExamples = '18:00 for the next such time in the city, or "2026-11-20 18:00"';

const createVerb = verb({
  summary: "Put a sentence on every page.",
  arguments: { text: { required: true, repeated: true, description: "the sentence, in quotes" } },
  options: {
    until: untilOption(`when it ends: ${timeExamples}; in ${defaultHours} hours by default`),
    link: { type: "string", value: "link", description: "a page of this site, or a URL" },
    level: { type: "string", value: "level", description: "notice (the default) or urgent" },
  },
  async run(context, { text: words, until, link = "", level = "notice" }) {
    const text = words.join(" ");
    refuseVerb(text);
    const services = await context.services();
    const { clock, site } = services;
    const defaultEnd = new Date(clock().getTime() + defaultHours * 3_600_000);
    const alert = requireValue(
      await publishAlert(
        { ...services, editor: commandEditor },
        {
          text,
          link,
          level: readLevel(level),
          until: until ?? defaultEnd,
        },
      ),
    );
    context.result(toJson({ ...alert, issuer: "editor", updatedAt: alert.startsAt }));
    context.print(describeShown(alert, site));
    context.print(`  To end it earlier: ./newsroom alert end ${shortenId(alert.id)}`);
    return 0;
  },
});

async function openAlerts(context: CommandContext) {
  const services = await context.services();
  const { timeZone } = services.site.read(siteSettingsFile);
  return { services, alerts: await readAlerts(services), now: services.clock(), timeZone };
}

/**
 * The alerts with these ids or, without an id, the only one that runs. With several, lists them and
 * ends the command.
 */
async function choose(
  context: CommandContext,
  typed: string[],
  open: Alert[],
  timeZone: string,
  name: "end" | "extend",
): Promise<Alert[]> {
  if (typed.length > 0) return pickAlerts(typed, open);
  const [only] = open;
  if (!only) fail("✗ No alert is running.");
  if (open.length === 1) return open;
  printAlerts(context, open, timeZone);
  refuseCommand(
    `${formatCount(open.length, "alert")} are running. Add the id of one${name === "end" ? ", or --all" : ""}: ./newsroom alert ${name} ${shortenId(only.id)}`,
  );
}

const pickAlerts = (typed: string[], open: Alert[]) =>
  pickAll(
    typed,
    {
      noun: "alert",
      listCommand: "alert list",
      label: ({ text }: Alert) => text,
      shorten: shortenId,
      find: async (each) => findByIdStart(open, each),
    },
    "Nothing was changed.",
  );

function printAlerts(context: CommandContext, alerts: Alert[], timeZone: string): void {
  const now = context.clock();
  context.table(
    ["id", "state", "level", "until", "text", "from"],
    alerts.map((alert) => [
      shortenId(alert.id),
      isRunning(alert, now) ? "running" : "ended",
      alert.level,
      shortTimestamp(alert.endsAt, timeZone),
      alert.text,
      { editor: "editor", file: "notice.yaml", official: "authority" }[alert.issuer],
    ]),
  );
}

const listVerb = verb({
  summary: "List the alerts that run.",
  options: listAllOption("include those of the past year"),
  async run(context, { all }) {
    const { alerts, now, timeZone } = await openAlerts(context);
    const shown = alerts.filter((alert) => all || isRunning(alert, now));
    context.result(shown.map(toJson));
    if (shown.length === 0) {
      context.print(all ? "There were no alerts in the past year." : "No alert is running.");
      return;
    }
    printAlerts(context, shown, timeZone);
  },
});

const extendVerb = verb({
  summary:
    "Change when an alert ends, its text, link or level. Without an id, of the only one that runs.",
  arguments: { id: { description: 'the id that "alert list" shows' } },
  options: {
    until: untilOption(timeExamples),
    text: { type: "string", value: "sentence", description: "the new sentence, in quotes" },
    link: { type: "string", value: "link", description: "a page of this site, or a URL" },
    level: { type: "string", value: "level", description: "notice or urgent" },
  },
  async run(context, { id: typed, until, text, link, level }) {
    if ([until, text, link, level].every((each) => each === undefined))
      refuseCommand("Add what is to change: --until, --text, --link or --level.");
    const { services, alerts, now, timeZone } = await openAlerts(context);
    const open = alerts.filter((alert) => isRunning(alert, now));
    const ids = typed === undefined ? [] : [typed];
    const [alert] = await choose(context, ids, open, timeZone, "extend");
    if (!alert) return 1;
    const changed = requireValue(
      await editAlert({ ...services, editor: commandEditor }, alert, {
        text,
        link,
        level: level === undefined ? undefined : readLevel(level),
        until,
      }),
    );
    context.result(toJson(changed));
    context.print(describeShown(changed, services.site));
    return 0;
  },
});

const endVerb = verb({
  summary: "End an alert now. Without an id, the only one that runs.",
  arguments: { id: { repeated: true, description: 'the id that "alert list" shows' } },
  options: {
    all: { type: "flag", description: "end all of them" },
    delete: {
      type: "flag",
      description: "also remove it from /alerts and the brief; with an id, one that is over too",
    },
  },
  async run(context, { id: typed, all: isAll, delete: isDeleting }) {
    const { services, alerts, now, timeZone } = await openAlerts(context);
    if (isDeleting) return deleteChosen(context, services, typed, alerts);
    const open = alerts.filter((alert) => isRunning(alert, now));
    if (isAll && typed.length > 0) refuseCommand('"alert end" takes ids or --all, not both.');
    if (typed.join() === "all") refuseCommand('To end all alerts: "alert end --all".');
    const chosen = isAll ? open : await choose(context, typed, open, timeZone, "end");
    if (chosen.length === 0) {
      context.print("No alert is running.");
      context.result([]);
      return 0;
    }
    const ended = await endNow({ ...services, editor: commandEditor }, chosen);
    for (const { id, text } of chosen)
      context.print(
        ended.includes(id) ? `✓ Ended: ${text}` : `✗ Not ended, delete it in notice.yaml: ${text}`,
      );
    context.result(oneOrMany(ended.map((id) => ({ id }))));
    return ended.length === chosen.length ? 0 : 1;
  },
});

async function deleteChosen(
  context: CommandContext,
  services: Services,
  typed: string[],
  alerts: Alert[],
): Promise<number> {
  if (typed.length === 0)
    refuseCommand('"alert end --delete" needs the id of an alert: see "alert list --all".');
  const chosen = await pickAlerts(typed, alerts);
  const deleted = await deleteMistakes({ ...services, editor: commandEditor }, chosen);
  for (const { id, text, issuer } of chosen)
    context.print(
      deleted.includes(id)
        ? `✓ Deleted: ${text}`
        : `✗ Not deleted, ${issuer === "file" ? "remove it from notice.yaml first" : "because no editor published it"}: ${text}`,
    );
  context.result(oneOrMany(deleted.map((id) => ({ id }))));
  return deleted.length === chosen.length ? 0 : 1;
}

const describeShown = (
  { text, endsAt }: Pick<Alert, "text" | "endsAt">,
  site: Services["site"],
): string =>
  `✓ Every page shows it until ${shortTimestamp(endsAt, site.read(siteSettingsFile).timeZone)}: ${text}`;

const toJson = (alert: Omit<Alert, "isStored" | "canDelete">) => ({
  id: alert.id,
  issuer: alert.issuer,
  text: alert.text,
  level: alert.level,
  link: alert.link,
  startsAt: alert.startsAt,
  endsAt: alert.endsAt,
  updatedAt: alert.updatedAt,
});

export const alertCommand: Command = {
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
    [noVerb]: createVerb,
    list: listVerb,
    end: endVerb,
    extend: extendVerb,
  },
};

import { shortTimestamp } from "../../../lib/dates.ts";
import { fail, refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { formatCount, shortenId } from "../../../lib/newsroom/printing.ts";
import { findByIdStart, pickAll } from "../../../lib/newsroom/selection.ts";
import type { CommandContext } from "../../../platform/command.ts";
import { type Alert, isRunning } from "../../alerts/model.ts";
import { readAlerts } from "../../alerts/store.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";

export async function openAlerts(context: CommandContext) {
  const services = await context.services();
  const { timeZone } = services.site.read(siteSettingsFile);
  return { services, alerts: await readAlerts(services), now: services.clock(), timeZone };
}

/** The only alert that runs. With several, lists them and ends the command. */
export function chooseOnly(
  context: CommandContext,
  open: Alert[],
  timeZone: string,
  name: "end" | "extend",
): Alert {
  const [only] = open;
  if (!only) fail("No alert is running.");
  if (open.length === 1) return only;
  printAlerts(context, open, timeZone);
  refuseCommand(
    `${formatCount(open.length, "alert")} are running. Add the id of one${name === "end" ? ", or --all" : ""}: ./newsroom alert ${name} ${shortenId(only.id)}`,
  );
}

export const pickAlerts = (typed: string[], open: Alert[]) =>
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

export function printAlerts(context: CommandContext, alerts: Alert[], timeZone: string): void {
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

import type { Database } from "../../../../db/database.ts";
import type { Clock } from "../../../lib/dates.ts";
import { refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { oneOrMany } from "../../../lib/newsroom/selection.ts";
import { type CommandContext, verb } from "../../../platform/command.ts";
import type { Services } from "../../../platform/services.ts";
import { type Alert, isOver } from "../../alerts/model.ts";
import { deleteAlerts, endAlerts } from "../../alerts/store.server.ts";
import { commandEditor, writeLog } from "../log/log.server.ts";
import type { LogAction } from "../schema.server.ts";
import { chooseOnly, openAlerts, pickAlerts } from "./choose-alerts.server.ts";

export const endAlertVerb = verb({
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
    const open = alerts.filter((alert) => !isOver(alert, now));
    if (isAll && typed.length > 0) refuseCommand('"alert end" takes ids or --all, not both.');
    if (typed.join() === "all") refuseCommand('To end all alerts: "alert end --all".');
    const chosen = isAll
      ? open
      : typed.length > 0
        ? await pickAlerts(typed, open)
        : [chooseOnly(context, open, timeZone, "end")];
    if (chosen.length === 0) {
      context.print("No alert is running.");
      context.result([]);
      return 0;
    }
    const { db, clock } = services;
    const ids = chosen.filter(({ isStored }) => isStored).map(({ id }) => id);
    const ended = await db.transaction(async (tx) => {
      const ended = await endAlerts(tx, clock, ids);
      await logEach(tx, clock, "ended", chosen, ended);
      return ended;
    });
    for (const { id, text } of chosen)
      context.print(
        ended.includes(id) ? `✓ Ended: ${text}` : `✗ Not ended, delete it in notice.yaml: ${text}`,
      );
    context.result(oneOrMany(ended.map((id) => ({ id }))));
    return ended.length === chosen.length ? 0 : 1;
  },
});

async function logEach(
  tx: Database,
  clock: Clock,
  action: LogAction,
  alerts: Alert[],
  ids: string[],
): Promise<void> {
  for (const { id, text } of alerts.filter(({ id }) => ids.includes(id)))
    await writeLog(tx, clock, commandEditor, { action, kind: "alert", items: [id], title: text });
}

/** Removes alerts that were put up by mistake, so that readers no longer find them anywhere. */
async function deleteChosen(
  context: CommandContext,
  { db, clock }: Services,
  typed: string[],
  alerts: Alert[],
): Promise<number> {
  if (typed.length === 0)
    refuseCommand('"alert end --delete" needs the id of an alert: see "alert list --all".');
  const chosen = await pickAlerts(typed, alerts);
  const ids = chosen.map(({ id }) => id);
  const deleted = await db.transaction(async (tx) => {
    const deleted = await deleteAlerts(tx, ids);
    await logEach(tx, clock, "deleted", chosen, deleted);
    return deleted;
  });
  for (const { id, text, source } of chosen)
    context.print(
      deleted.includes(id)
        ? `✓ Deleted: ${text}`
        : `✗ Not deleted, ${source === "file" ? "remove it from notice.yaml first" : "because no editor put it up"}: ${text}`,
    );
  context.result(oneOrMany(deleted.map((id) => ({ id }))));
  return deleted.length === chosen.length ? 0 : 1;
}

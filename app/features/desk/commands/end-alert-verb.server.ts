import { refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { oneOrMany } from "../../../lib/newsroom/selection.ts";
import { type CommandContext, verb } from "../../../platform/command.ts";
import type { Services } from "../../../platform/services.ts";
import { type Alert, isRunning } from "../../alerts/model.ts";
import { deleteMistakes, endNow } from "../alerts/write-alerts.server.ts";
import { commandEditor } from "../log/log.server.ts";
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
    const open = alerts.filter((alert) => isRunning(alert, now));
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

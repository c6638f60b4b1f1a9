import { gt } from "drizzle-orm";
import { fail } from "../../../lib/newsroom/command-error.ts";
import { findByIdStart, pickAll } from "../../../lib/newsroom/selection.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../../platform/command.ts";
import { printList, readCommandSite } from "../../brand/command-site.server.ts";
import { officialAlertsFile } from "../../official-alerts/files.server.ts";
import { isShown, isWaiting, type OfficialAlert } from "../../official-alerts/plan.ts";
import { officialAlerts } from "../../official-alerts/schema.server.ts";
import { shortId } from "../../official-alerts/store.server.ts";
import { decideOfficial } from "../alerts/write-alerts.server.ts";
import { commandEditor } from "../log/log.server.ts";

async function readCurrent(context: CommandContext) {
  const site = await readCommandSite(context, [officialAlertsFile]);
  const settings = site.read(officialAlertsFile);
  const db = await context.database();
  if (!settings) fail("✗ The city has no alerts.yaml, so there are no official alerts.");
  const now = context.clock();
  const stored = await db.select().from(officialAlerts).where(gt(officialAlerts.endsAt, now));
  const rows = stored.map((row) => ({ id: shortId(row.key), ...row }));
  const findState = (alert: OfficialAlert) =>
    isShown(alert, settings, now)
      ? "shown"
      : isWaiting(alert, settings, now)
        ? "waiting"
        : alert.isListed
          ? "hidden"
          : "over";
  return { desk: { db, clock: context.clock, site, editor: commandEditor }, rows, findState };
}

const listVerb = verb({
  summary: "List the official alerts that apply now, and which of them wait for a decision.",
  async run(context) {
    const { rows, findState } = await readCurrent(context);
    const alerts = rows.map((row) => ({ ...row, state: findState(row) }));
    context.result(alerts);
    await printList(
      context,
      alerts,
      {
        id: ({ id }) => id,
        state: ({ state }) => state,
        severity: ({ severity }) => severity,
        until: ({ endsAt }) => endsAt,
        headline: ({ headline }) => headline,
      },
      "There are no official alerts.",
    );
  },
});

const decisionVerb = (summary: string, decision: "approved" | "hidden") =>
  verb({
    summary,
    arguments: { id: { required: true, description: 'the id, as "official list" shows it' } },
    async run(context, { id }) {
      const { desk, rows } = await readCurrent(context);
      const [row] = await pickAll([id], {
        noun: "official alert",
        listCommand: "official list",
        label: ({ headline }: (typeof rows)[number]) => toSafeLine(headline),
        shorten: (each) => each,
        find: async (typed) => findByIdStart(rows, typed),
      });
      if (!row) return;
      if (!(await decideOfficial(desk, row.key, decision, "any")))
        fail("✗ The Weather Service has ended this alert. Nothing was changed.");
      context.result({ id: row.id, decision });
      context.print(
        `${decision === "approved" ? "Readers now see" : "Readers no longer see"}: ${toSafeLine(row.headline)}`,
      );
    },
  });

export const officialCommand: Command = {
  name: "official",
  group: "Content",
  summary: "List the alerts of the Weather Service, and decide which ones readers see.",
  examples: ["official list", "official approve 3fa1c2", "official hide 3fa1c2"],
  verbs: {
    list: listVerb,
    approve: decisionVerb("Show an alert that waits for a decision.", "approved"),
    hide: decisionVerb("Hide an alert, also one that appeared by itself.", "hidden"),
  },
};

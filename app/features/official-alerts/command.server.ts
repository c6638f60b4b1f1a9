import { gt } from "drizzle-orm";
import { shortTimestamp } from "../../lib/dates.ts";
import { fail } from "../../lib/newsroom/command-error.ts";
import { toSafeLine } from "../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../platform/command.ts";
import { readTimeZone } from "../brand/command-site.server.ts";
import { officialAlertsFile } from "./files.server.ts";
import { isShown, isWaiting, type OfficialAlert } from "./plan.ts";
import { officialAlerts } from "./schema.server.ts";
import { decideAlert, shortId } from "./store.server.ts";

const noSettings = "The city has no alerts.yaml, so there are no official alerts.";

async function readCurrent(context: CommandContext) {
  const [settings, db] = [
    (await context.readSite([officialAlertsFile])).read(officialAlertsFile),
    await context.database(),
  ];
  if (!settings) return fail(noSettings);
  const now = context.clock();
  const rows = await db.select().from(officialAlerts).where(gt(officialAlerts.endsAt, now));
  const findState = (alert: OfficialAlert) =>
    isShown(alert, settings, now)
      ? "shown"
      : isWaiting(alert, settings, now)
        ? "waiting"
        : alert.endedBy
          ? `over (${alert.endedBy})`
          : "hidden";
  return { db, settings, rows, findState };
}

const listVerb = verb({
  summary: "List the official alerts that apply now, and which of them wait for a decision.",
  async run(context) {
    const { rows, findState } = await readCurrent(context);
    const timeZone = await readTimeZone(context);
    context.result(rows.map((row) => ({ id: shortId(row.key), ...row, state: findState(row) })));
    if (rows.length === 0) context.print("There are no official alerts.");
    for (const row of rows)
      context.print(
        `${shortId(row.key)}  ${findState(row)}  ${row.severity}, until ${shortTimestamp(row.endsAt, timeZone)}: ${toSafeLine(row.headline)}`,
      );
    return undefined;
  },
});

const decisionVerb = (summary: string, decision: "approved" | "hidden") =>
  verb({
    summary,
    arguments: { id: { required: true, description: 'the id, as "official list" shows it' } },
    async run(context, { id }) {
      const { db, settings, rows } = await readCurrent(context);
      const matches = rows.filter(({ key }) => shortId(key).startsWith(id.toLowerCase()));
      const [row] = id.length >= 4 && matches.length === 1 ? matches : [];
      if (!row)
        return fail(`No official alert has the id "${id}". Run "./newsroom official list".`);
      if (row.endedBy !== null)
        return fail("The Weather Service has ended this alert. Nothing was changed.");
      await db.transaction((tx) => decideAlert(tx, context.clock, settings, row.key, decision));
      context.result({ id: shortId(row.key), decision });
      context.print(
        `${decision === "approved" ? "Readers now see" : "Readers no longer see"}: ${toSafeLine(row.headline)}`,
      );
      return undefined;
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

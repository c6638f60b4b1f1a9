import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { calendarDay } from "../../../lib/dates.ts";
import { fail } from "../../../lib/newsroom/command-error.ts";
import { tryFile } from "../../../lib/newsroom/file-errors.server.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import { type CommandContext, verb } from "../../../platform/command.ts";
import { readCommandSite } from "../../brand/command-site.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { isPast, leftOutReasons } from "../../events/calendars/read/read.server.ts";
import { importedSource, storeEvents } from "../../events/import/store.server.ts";
import { calendarTask } from "../../events/import/tasks.server.ts";
import { readInWorker } from "../../sources/visit-source.server.ts";
import { logCommand } from "../log/log.server.ts";

/** At most this many published events are listed by title, and as many skipped ones. */
const maxListed = 20;

export const importEventsVerb = verb({
  summary: "Publish the upcoming events of a calendar file and list those that it skips.",
  arguments: { file: { required: true, description: "a calendar file (.ics)" } },
  run: (context, { file }) => importFile(context, resolve(context.cwd, file)),
});

async function importFile(context: CommandContext, path: string): Promise<undefined> {
  const body = await tryFile(context, { path, action: "read" }, async () => {
    const stats = await stat(path);
    // Reading from a pipe could block forever.
    if (!stats.isFile() && !stats.isDirectory()) fail(`✗ ${path} is not a file.`);
    return readFile(path);
  });
  const { timeZone, origin } = (await readCommandSite(context)).read(siteSettingsFile);
  const now = context.clock();
  const read = await readInWorker(context.runInWorker, calendarTask, { body, now, timeZone });
  if (read.kind === "failed") fail(`✗ Could not read ${path}: it takes ${read.detail}.`);
  const result = read.value ?? fail(`✗ ${path} is not a calendar file (.ics).`);
  const upcoming = result.occurrences.filter(({ endsAt }) => endsAt >= now);
  // The result includes events of the past few days, because scheduled imports store them.
  const justEnded = result.occurrences
    .filter(({ endsAt }) => endsAt < now)
    .map(({ title, startsAt }) => ({
      title,
      day: calendarDay(startsAt, timeZone),
      reason: "over" as const,
    }));
  const correctable = result.leftOut.filter(({ reason }) => !isPast(reason));
  const past = result.leftOut.filter(({ reason }) => isPast(reason));
  // Events that the editor can correct come first.
  const leftOut = [...correctable, ...justEnded, ...past].map(({ title, day, reason }) => ({
    title: toSafeLine(title),
    day,
    reason: leftOutReasons[reason],
  }));
  const leftOutCount = justEnded.length + result.leftOutCount;
  const db = await context.database();
  const source = { source: importedSource, now, isComplete: false };
  await db.transaction(async (tx) => {
    await storeEvents(tx, source, upcoming);
    if (upcoming.length === 0) return;
    await logCommand(tx, context.clock, {
      action: "imported",
      kind: "",
      title: formatCount(upcoming.length, "event"),
      note: basename(path),
    });
  });
  context.result({
    dates: upcoming.map(({ id, title, startsAt, endsAt }) => ({ id, title, startsAt, endsAt })),
    broken: result.broken,
    leftOut,
    leftOutCount,
    isCut: result.isCut,
  });
  for (const { id, title } of upcoming.slice(0, maxListed))
    context.print(`${origin}/events/${id}  ${toSafeLine(title)}`);
  if (upcoming.length > maxListed) context.print(`… and ${upcoming.length - maxListed} more.`);
  if (leftOutCount > 0) context.print("! Skipped, or imported only in part:");
  for (const { title, day, reason } of leftOut.slice(0, maxListed))
    context.print(
      `    ${title === "" ? "(no title)" : title}${day === null ? "" : `, ${day}`}: ${reason}`,
    );
  if (leftOutCount > maxListed) context.print(`    … and ${leftOutCount - maxListed} more.`);
  if (result.isCut)
    context.print(
      "! The file is too large, or has events more than 13 months ahead. The rest was skipped.",
    );
  if (upcoming.length === 0)
    fail("✗ Nothing was imported: the file has no upcoming events that can be published.");
  context.print(`✓ Published ${formatCount(upcoming.length, "date")}.`);
}

import { shortTimestamp } from "../../lib/dates.ts";
import type { CommandContext } from "../../platform/command.ts";
import type { SiteContent, SiteSource } from "../../site-files/site-file.server.ts";
import { contactFile } from "./contact-file.server.ts";
import { siteSettingsFile } from "./files.server.ts";

type SiteContext = Pick<CommandContext, "isServing" | "services" | "readSite">;

/**
 * Reads the files with the city's name, time zone and email addresses, and `more`, for a command. In
 * a running server these are the last good versions, so that a mistake in them does not stop the command.
 */
export const readCommandSite = async (
  context: SiteContext,
  more: SiteSource[] = [],
): Promise<SiteContent> =>
  context.isServing
    ? (await context.services()).site
    : context.readSite([siteSettingsFile, contactFile, ...more]);

export const readTimeZone = async (context: SiteContext): Promise<string> =>
  (await readCommandSite(context)).read(siteSettingsFile).timeZone;

type Cell = string | number | Date | null;

/** Prints a table with a line for each item, or `empty` if there are none, in the city's time zone. */
export async function printList<Item>(
  context: CommandContext,
  items: Item[],
  columns: Record<string, (item: Item) => Cell>,
  empty: string,
): Promise<void> {
  if (items.length === 0) return context.print(empty);
  const timeZone = await readTimeZone(context);
  const toText = (cell: Cell) =>
    cell instanceof Date ? shortTimestamp(cell, timeZone) : String(cell ?? "");
  context.table(
    Object.keys(columns),
    items.map((item) => Object.values(columns).map((cell) => toText(cell(item)))),
  );
}

import type { CommandContext } from "../../platform/command.ts";
import type { SiteContent } from "../../site-files/site-file.server.ts";
import { contactFile } from "./contact-file.server.ts";
import { siteSettingsFile } from "./files.server.ts";

/**
 * Reads the files with the city's name, time zone and email addresses, for a command. In a running
 * server these are the last good versions, so that a mistake in them does not stop the command.
 */
export const readBrandFiles = async (
  context: Pick<CommandContext, "isServing" | "services" | "readSite">,
): Promise<SiteContent> =>
  context.isServing
    ? (await context.services()).site
    : context.readSite([siteSettingsFile, contactFile]);

/** The city's time zone, in which commands print times. */
export const readTimeZone = async (
  context: Parameters<typeof readBrandFiles>[0],
): Promise<string> => (await readBrandFiles(context)).read(siteSettingsFile).timeZone;

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

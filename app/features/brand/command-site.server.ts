import type { CommandContext } from "../../platform/command.ts";
import { type Contact, contactFile } from "./contact-file.server.ts";
import { type SiteSettings, siteSettingsFile } from "./files.server.ts";

export type BrandFiles = { settings: SiteSettings; contact: Contact };

/**
 * Reads the files with the city's name, time zone and email addresses, for a command. In a running
 * server these are the last good versions, so that a mistake in them does not stop the command.
 */
export async function readBrandFiles(
  context: Pick<CommandContext, "isServing" | "services" | "readSite">,
): Promise<BrandFiles> {
  const site = context.isServing
    ? (await context.services()).site
    : await context.readSite([siteSettingsFile, contactFile]);
  return { settings: site.read(siteSettingsFile), contact: site.read(contactFile) };
}

export const readTimeZone = async (
  context: Parameters<typeof readBrandFiles>[0],
): Promise<string> => (await readBrandFiles(context)).settings.timeZone;

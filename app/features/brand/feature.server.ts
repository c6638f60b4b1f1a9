import type { LaunchItem } from "../../platform/city.ts";
import type { Feature } from "../../platform/feature.ts";
import type { SiteContent } from "../../site-files/site-file.server.ts";
import { contactFile } from "./contact-file.server.ts";
import { type SiteSettings, siteSettingsFile } from "./files.server.ts";
import { lookFile } from "./look-file.server.ts";
import { checkNetwork, networkFile } from "./network-file.server.ts";

/** Lists what is missing in the city's settings before the launch. */
function listBrandItems(site: SiteContent): LaunchItem[] {
  const settings = site.read(siteSettingsFile);
  const { social, without, backups } = settings;
  const contact = site.read(contactFile);
  const inSettings = (key: keyof SiteSettings, message: string, fix: string): LaunchItem => ({
    file: siteSettingsFile.path,
    at: [key],
    message,
    fix,
  });
  const inContact = (message: string, fix: string): LaunchItem => ({
    file: contactFile.path,
    at: null,
    message,
    fix,
  });
  const items: (LaunchItem | false)[] = [
    !backups.daily && inSettings("backups", "turns off the daily backup.", "Set daily to true."),
    backups.daily &&
      backups.folder === undefined && {
        ...inSettings(
          "backups",
          "has no folder, so backups are on the same disk as the data.",
          "Add a path on another disk: backups: { daily: true, folder: /mnt/backups }.",
        ),
        isOptional: true,
      },
    social.length === 0 && {
      ...inSettings("social", "lists no accounts.", "Add the accounts that the site has."),
      isOptional: true,
    },
    without.length > 0 && {
      ...inSettings(
        "without",
        `turns off ${without.join(", ")}.`,
        "To turn a part on, add its files first: docs/operations.md, A second city.",
      ),
      isOptional: true,
    },
    contact.address === undefined &&
      inContact(
        "has no postal address, which commercial email in the United States must have.",
        "Add address: { street: …, city: … }.",
      ),
    contact.office === undefined && {
      ...inContact("has no phone number.", "Add office: and newsDesk:, if you have phones."),
      isOptional: true,
    },
  ];
  return items.filter((item) => item !== false);
}

export { readTimeZone } from "./command-site.server.ts";
export { contactFile } from "./contact-file.server.ts";
export { siteSettingsFile } from "./files.server.ts";
export { type Look, lookFile } from "./look-file.server.ts";

export const brand: Feature = {
  name: "brand",
  files: [siteSettingsFile, lookFile, contactFile, networkFile],
  checks: [checkNetwork],
  launch: listBrandItems,
};

import type { Feature } from "../../platform/feature.ts";
import { contactFile } from "./contact-file.server.ts";
import { siteSettingsFile } from "./files.server.ts";
import { listBrandItems } from "./launch.server.ts";
import { lookFile } from "./look-file.server.ts";
import { checkNetwork, networkFile } from "./network-file.server.ts";

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

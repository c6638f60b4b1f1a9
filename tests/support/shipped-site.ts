import type { SiteContent } from "../../app/site-files/site-file.server.ts";
import { siteFiles } from "../../server/composition.ts";
import { readSite } from "../../server/site/site-files.ts";

let shipped: Promise<SiteContent> | undefined;

/**
 * Reads all files of the shipped city. This takes a second, so the test files of a worker share the
 * result. A test that needs other values wraps it.
 */
export const readShippedSite = (): Promise<SiteContent> => {
  shipped ??= readSite("sites/baltimore", siteFiles);
  return shipped;
};

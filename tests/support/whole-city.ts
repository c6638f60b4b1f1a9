import type { SiteContent } from "../../app/site-files/site-file.server.ts";

/** For the site files of a test: the city has every part and section, and no folders. */
export const wholeCity: Pick<SiteContent, "hasPage" | "listAbsent" | "names"> = {
  hasPage: () => true,
  listAbsent: () => [],
  names: () => [],
};

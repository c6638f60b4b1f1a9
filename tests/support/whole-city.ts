import type { SiteContent } from "../../app/site-files/site-file.server.ts";

/** For the site files of a test: the city has every part and section. */
export const wholeCity: Pick<SiteContent, "has" | "listAbsent"> = {
  has: () => true,
  listAbsent: () => [],
};

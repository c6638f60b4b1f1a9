import { createMemo } from "../../../lib/memo.ts";
import { createSentenceCase } from "../../../lib/text/typography/sentence-case.ts";
import type { SiteContent } from "../../../site-files/site-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { neighborhoodsFile } from "../../places/files.server.ts";
import { sectionsFile } from "../files.server.ts";

/** Returns the title of a headline as pages show it. */
export type ToTitle = (title: string) => string;

const titleCases = createMemo<ToTitle>();

/**
 * Shows a headline in capitals in sentence case, with the names that the city's files contain. The
 * database stores headlines as received.
 */
export function readTitleCase(site: SiteContent): ToTitle {
  const settings = site.read(siteSettingsFile);
  const neighborhoods = site.read(neighborhoodsFile);
  const sections = site.read(sectionsFile);
  return titleCases("all", [settings, neighborhoods, sections], () =>
    createSentenceCase([
      settings.city,
      settings.state ?? settings.city,
      ...sections.places,
      ...neighborhoods.flatMap(({ name, words }) => [...words, name]),
    ]),
  );
}

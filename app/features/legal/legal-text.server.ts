import { longDate } from "../../lib/dates.ts";
import type { ValueOf } from "../../site-files/site-file.server.ts";
import type { privacyFile } from "./files.server.ts";
import type { LegalText } from "./legal-page.tsx";

/** Turns a legal file into the page's content. The server formats the date, not the browser. */
export function toLegalText(
  { front, html, headings }: ValueOf<typeof privacyFile>,
  notices: string[] = [],
): LegalText {
  return {
    notices,
    title: front.title,
    description: front.description,
    updated: longDate(front.updated),
    html,
    headings,
  };
}

import { z } from "zod";
import { longDate } from "../../lib/dates.ts";
import { calendarDate, text } from "../../site-files/site-fields.server.ts";
import { sitePage, type ValueOf } from "../../site-files/site-file.server.ts";

const front = z.strictObject({ title: text, description: text, updated: calendarDate });

export const privacyFile = sitePage("privacy.md", front);
export const termsFile = sitePage("terms.md", front);

/**
 * Turns a legal file into the page's content. The server formats the date, not the browser.
 * `disclosures` are paragraphs about settings of this city that change what the text says.
 */
export const toLegalText = (
  { front, html, headings }: ValueOf<typeof privacyFile>,
  disclosures: string[] = [],
) => ({ ...front, updated: longDate(front.updated), disclosures, html, headings });

export type LegalText = ReturnType<typeof toLegalText>;

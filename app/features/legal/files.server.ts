import { z } from "zod";
import { calendarDate, text } from "../../site-files/site-fields.server.ts";
import { sitePage } from "../../site-files/site-file.server.ts";

const front = z.strictObject({ title: text, description: text, updated: calendarDate });

export const privacyFile = sitePage("privacy.md", front);
export const termsFile = sitePage("terms.md", front);

import { hash } from "node:crypto";
import { z } from "zod";
import { writtenInstant } from "../../lib/dates.ts";
import type { Check } from "../../platform/city.ts";
import { text } from "../../site-files/site-fields.server.ts";
import { type SiteFile, siteFile } from "../../site-files/site-file.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { checkLink, isDateAndTime } from "./input.ts";
import { alertLevels, maxAlertLength } from "./model.ts";

const linkExample = "must be a page of this site, such as /about, or a URL";
const untilExample = "must be a date and a time in the city, such as 2026-11-18 18:00";

const fileAlert = z
  .strictObject({
    text: text.max(maxAlertLength, `must have at most ${maxAlertLength} characters`),
    until: z.string({ error: untilExample }).refine(isDateAndTime, untilExample),
    level: z.enum(alertLevels, { error: "must be notice or urgent" }).default("notice"),
    link: z
      .string(linkExample)
      .trim()
      .min(1, linkExample)
      .refine((link) => checkLink(link).ok, linkExample)
      .optional(),
  })
  .transform((written) => ({
    ...written,
    /** Another text is another alert. */
    externalId: hash("sha256", written.text, "base64url").slice(0, 22),
  }));
export type FileAlert = z.output<typeof fileAlert>;

const maxAlerts = 20;
const path = "notice.yaml";
const oneAlert = siteFile(
  path,
  fileAlert.transform((one) => [one]),
);
const listOfAlerts = siteFile(
  path,
  z.array(fileAlert).max(maxAlerts, `can have at most ${maxAlerts} alerts`),
);

/** Notes that an alert of the file is over, for example because of a mistake in its date. */
export const noteEnded: Check = (city) => {
  const timeZone = city.read(siteSettingsFile)?.timeZone ?? "UTC";
  return (city.read(noticeFile) ?? [])
    .filter(({ until }) => writtenInstant(until, timeZone) <= new Date())
    .map(({ until }) => ({
      file: path,
      at: until,
      field: "until",
      message: `is in the past (${until}), so readers do not see this alert`,
      isNote: true,
    }));
};

/**
 * The alerts that the newsroom publishes by saving a file: one, a list, or none. These are separate
 * schemas, because the error message of a union would not say what is wrong with an alert.
 */
export const noticeFile: SiteFile<FileAlert[]> = {
  ...listOfAlerts,
  parse(source, origin) {
    const [first] = source.split(/\r\n?|\n/).filter((line) => !/^\s*(?:#|---\s*$|$)/.test(line));
    if (first === undefined) return { ok: true, value: [] };
    return (/^\s*[-[]/.test(first) ? listOfAlerts : oneAlert).parse(source, origin);
  },
  whenMissing: { value: [], effect: "no alert comes from a file" },
};

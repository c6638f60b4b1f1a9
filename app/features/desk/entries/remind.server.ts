import { calendarDay, instantAt, longDate } from "../../../lib/dates.ts";
import type { Services } from "../../../platform/services.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { communityFile } from "../../community/files.server.ts";
import { listEnding } from "../../community/listings.server.ts";
import { queueMail } from "../../mail/queue.server.ts";
import { deskFile } from "../files.server.ts";
import { isUuid } from "../waiting/model.ts";
import { entryPath } from "./model.ts";

/** When reminders are sent, in the city's time: with the morning's summary of the desk. */
const reminderTime = "08:00";

/**
 * Emails the editors of the desk, or the newsroom in a city without one, once about each listing
 * that ends within a week.
 */
export async function remindOfListings({
  db,
  clock,
  site,
  mail,
}: Pick<Services, "db" | "clock" | "site" | "mail">): Promise<void> {
  const { timeZone, origin } = site.read(siteSettingsFile);
  const now = clock();
  if (now < instantAt(calendarDay(now, timeZone), reminderTime, timeZone)) return;
  const editors = site.read(deskFile)?.editors ?? [site.read(contactFile)];
  const ending = await listEnding({ db, site, clock });
  for (const { id, title, until } of ending) {
    // Only listings of the desk have such ids.
    const how = isUuid(id)
      ? `choose a later day at the desk: ${origin}${entryPath("listings", id)}`
      : `write a later date as its \`until\` in ${communityFile.path}.`;
    for (const { email } of editors)
      await queueMail(db, clock, {
        key: `listing-ends:${title}:${until}:${email}`,
        to: email,
        subject: `“${title}” ends on ${longDate(until)}`,
        text: `The listing “${title}” on ${origin}/community is gone after ${longDate(until)}. If it goes on, ${how}\n`,
      });
  }
  if (ending.length > 0) mail.wake();
}

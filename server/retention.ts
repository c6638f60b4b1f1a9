import { forgetOldPictures } from "../app/features/blog/pictures.server.ts";
import { brandFile } from "../app/features/brand/files.server.ts";
import { forgetOldEvents } from "../app/features/calendars/store.server.ts";
import { forgetStories } from "../app/features/community/submissions.server.ts";
import { forgetOldMessages } from "../app/features/contact/messages.server.ts";
import { forgetSubmissions } from "../app/features/events/submissions.server.ts";
import { forgetVisitors } from "../app/features/forms/rate-limit.server.ts";
import { forgetUnconfirmed } from "../app/features/newsletter/subscribe.server.ts";
import { forgetOldTallies } from "../app/features/tally/tally.server.ts";
import { errorFields } from "../app/lib/log.ts";
import type { Services } from "../app/platform/services.ts";

type Given = Pick<Services, "db" | "clock" | "site" | "log" | "mail">;

/** What the privacy page promises to delete, each by its name. The answer is how many were deleted. */
const promises: Record<string, (given: Given) => Promise<number>> = {
  addresses: ({ db, clock }) => forgetUnconfirmed(db, clock),
  mails: ({ mail }) => mail.forgetOld(),
  tallies: ({ db, clock, site }) => forgetOldTallies(db, clock, site.read(brandFile).timeZone),
  messages: ({ db, clock }) => forgetOldMessages(db, clock),
  stories: ({ db, clock }) => forgetStories(db, clock),
  pictures: ({ db, clock }) => forgetOldPictures(db, clock),
  submittedEvents: ({ db, clock }) => forgetSubmissions(db, clock),
  calendarEvents: ({ db, clock }) => forgetOldEvents(db, clock),
  // That happens all the time and is not counted.
  visitors: ({ db, clock }) => forgetVisitors(db, clock).then(() => 0),
};

/**
 * Keeps each promise on its own: one that fails is logged, and does not keep the others. The job then counts as failed, so
 * that the queue tries again and `doctor` shows it.
 */
export async function keepPromises(given: Given): Promise<void> {
  const deleted: Record<string, number> = {};
  const failed: string[] = [];
  for (const [promise, keep] of Object.entries(promises)) {
    try {
      const count = await keep(given);
      if (count > 0) deleted[promise] = count;
    } catch (error) {
      failed.push(promise);
      given.log.error("retention.failed", { promise, ...errorFields(error) });
    }
  }
  if (Object.keys(deleted).length > 0) given.log.info("retention.done", deleted);
  if (failed.length > 0) throw new Error(`These were not deleted: ${failed.join(", ")}.`);
}

import { eq } from "drizzle-orm";
import type { Services } from "../../../platform/services.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import { eventsPath } from "../../events/model.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { storySubmissions } from "../../stories/readers/schema.server.ts";

/** How many stories, events and messages wait for an editor. */
export async function countWaiting({ db, site }: Pick<Services, "db" | "site">): Promise<number> {
  const counts = await Promise.all([
    db.$count(storySubmissions, eq(storySubmissions.state, "waiting")),
    site.has(eventsPath) ? db.$count(eventSubmissions, eq(eventSubmissions.state, "waiting")) : 0,
    db.$count(contactMessages, eq(contactMessages.state, "new")),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}

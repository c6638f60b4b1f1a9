import { eq } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { storySubmissions } from "../../stories/readers/schema.server.ts";

/** How many stories, events and messages wait for an editor. */
export async function countWaiting(db: Database): Promise<number> {
  const counts = await Promise.all([
    db.$count(storySubmissions, eq(storySubmissions.state, "waiting")),
    db.$count(eventSubmissions, eq(eventSubmissions.state, "waiting")),
    db.$count(contactMessages, eq(contactMessages.state, "new")),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}

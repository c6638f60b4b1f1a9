import { and, eq, lt } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/client.ts";
import { type Clock, daysBefore } from "../../lib/dates.ts";
import { emailField, optionalLine, requiredText } from "../forms/receive.server.ts";
import { maxNameLength, maxStoryLength, maxTitleLength, waitingLifetimeDays } from "./model.ts";
import { storySubmissions } from "./schema.server.ts";

/** The form for readers' stories. */
export const storyForm = {
  name: "story",
  perHour: 10,
  hasToken: true,
  schema: z.object({
    title: requiredText("Please give your story a title.", maxTitleLength),
    story: requiredText("Please write your story.", maxStoryLength),
    name: optionalLine(maxNameLength),
    email: z.union(
      [z.literal(""), emailField],
      "Please enter a complete e-mail address, such as name@example.com.",
    ),
    consent: z.literal("on", "Please tick this box: we can only take a story that you let us publish."),
  }),
};

type Submission = z.output<typeof storyForm.schema>;

export async function keepStory(
  db: Database,
  clock: Clock,
  submission: Submission,
  key: string,
): Promise<void> {
  const { consent: _given, ...story } = submission;
  await db
    .insert(storySubmissions)
    .values({ ...story, key, state: "waiting", createdAt: clock() })
    .onConflictDoNothing();
}

export async function forgetWaitingStories(db: Database, clock: Clock): Promise<number> {
  const before = daysBefore(clock(), waitingLifetimeDays);
  const gone = await db
    .delete(storySubmissions)
    .where(and(eq(storySubmissions.state, "waiting"), lt(storySubmissions.createdAt, before)))
    .returning({ id: storySubmissions.id });
  return gone.length;
}

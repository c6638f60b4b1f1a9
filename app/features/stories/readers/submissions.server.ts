import { and, count, eq, lt, or } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../../db/database.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import { type NoticeServices, notifyNewsroom } from "../../forms/notice.server.ts";
import {
  emailField,
  type FieldErrors,
  optionalLine,
  requiredText,
} from "../../forms/receive.server.ts";
import type { StoryImage } from "./images.server.ts";
import {
  maxAltLength,
  maxNameLength,
  maxStoryLength,
  maxTitleLength,
  maxWaiting,
  rejectedLifetimeDays,
  waitingLifetimeDays,
} from "./model.ts";
import { storyImages, storySubmissions } from "./schema.server.ts";

/** The form for readers' stories. */
export const storyForm = {
  name: "story",
  perHour: 10,
  totalPerHour: 60,
  hasToken: true,
  schema: z.object({
    title: requiredText("Please give your story a title.", maxTitleLength),
    story: requiredText("Please write your story.", maxStoryLength),
    name: optionalLine(maxNameLength),
    email: z.union(
      [z.literal(""), emailField],
      "Please enter a complete e-mail address, such as name@example.com.",
    ),
    // Of picture1, picture2 and picture3.
    alt1: optionalLine(maxAltLength),
    alt2: optionalLine(maxAltLength),
    alt3: optionalLine(maxAltLength),
    consent: z.literal(
      "on",
      "Please tick this box: we can only take a story that you let us publish.",
    ),
  }),
};

type StoryFields = Pick<z.output<typeof storyForm.schema>, "title" | "story" | "name" | "email">;

/** Stores a story with its pictures and writes the mail that tells of it: all of it, or nothing. */
export async function storeStory(
  { db, clock, to }: NoticeServices,
  { title, story, name, email }: StoryFields,
  pictures: StoryImage[],
  key: string,
): Promise<FieldErrors | undefined> {
  return db.transaction(async (tx) => {
    const [waiting] = await tx
      .select({ stories: count() })
      .from(storySubmissions)
      .where(eq(storySubmissions.state, "waiting"));
    if ((waiting?.stories ?? 0) >= maxWaiting)
      return {
        story:
          "More stories are waiting than we can read. Please keep yours and try again in a week.",
      };
    const [kept] = await tx
      .insert(storySubmissions)
      .values({ title, story, name, email, key, state: "waiting", createdAt: clock() })
      .onConflictDoNothing()
      .returning({ id: storySubmissions.id });
    // The same form, sent twice.
    if (!kept) return undefined;
    for (const [position, picture] of pictures.entries())
      await tx.insert(storyImages).values({ ...picture, position, story: kept.id });
    await notifyNewsroom({ db: tx, clock, to }, newStoryNotice(kept.id, title, pictures.length));
    return undefined;
  });
}

function newStoryNotice(id: string, title: string, pictures: number) {
  const short = id.slice(0, 8);
  return {
    listCommand: "stories list",
    key: `story:${id}`,
    subject: "A reader's story is waiting",
    lines: [
      `"${title}"${pictures > 0 ? `, with ${pictures === 1 ? "a picture" : `${pictures} pictures`}` : ""}`,
      "",
      "Nobody sees it until one of you approves it:",
      "",
      `  ./newsroom stories show ${short}`,
      `  ./newsroom stories approve ${short}`,
      `  ./newsroom stories reject ${short}`,
      "",
      `One that nobody decides on is deleted after ${waitingLifetimeDays} days.`,
    ],
  };
}

/** What is shown stays; the rest goes as was promised, and its pictures with it. */
export async function deleteOldStories(db: Database, clock: Clock): Promise<number> {
  const { id, state, createdAt, decidedAt } = storySubmissions;
  const gone = await db
    .delete(storySubmissions)
    .where(
      or(
        and(eq(state, "waiting"), lt(createdAt, daysBefore(clock(), waitingLifetimeDays))),
        and(eq(state, "rejected"), lt(decidedAt, daysBefore(clock(), rejectedLifetimeDays))),
      ),
    )
    .returning({ id });
  return gone.length;
}

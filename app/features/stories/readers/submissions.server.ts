import { and, eq, lt, or } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../../db/database.ts";
import { deleteRows } from "../../../../db/rows.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import { busyMessage, type PostedForm } from "../../../lib/form.ts";
import { formatCount, shortenId } from "../../../lib/newsroom/printing.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import type { Refusal } from "../../forms/model.ts";
import {
  mailSubjects,
  type NotifyServices,
  notifyNewsroom,
} from "../../forms/notify-newsroom.server.ts";
import {
  type FieldErrors,
  type FormServices,
  formsPerHour,
  optionalEmail,
  optionalText,
  receiveForm,
  requiredText,
} from "../../forms/receive.server.ts";
import { storyImages, storySubmissions } from "../schema.server.ts";
import {
  findFileErrors,
  prepareImages,
  readChosenImages,
  type StoryImage,
} from "./images.server.ts";
import {
  altField,
  imageField,
  imageNumbers,
  maxAltLength,
  maxImageMegabytes,
  maxImages,
  maxNameLength,
  maxStoryLength,
  maxTitleLength,
  maxWaiting,
  rejectedRetentionDays,
  waitingRetentionDays,
} from "./model.ts";

export const storyLimit = formsPerHour(
  "stories",
  { visitor: 10, all: 60 },
  { visitor: `each ${maxImages * maxImageMegabytes} MB`, all: `${maxWaiting} wait for an editor` },
);

const altFields: Record<ReturnType<typeof altField>, z.ZodString> = Object.fromEntries(
  imageNumbers.map((number) => [altField(number), optionalText(maxAltLength)]),
);

const storyRule = {
  name: "story",
  limit: storyLimit,
  hasToken: true,
  schema: z
    .object({
      title: requiredText("Please give your story a title.", maxTitleLength).overwrite(toSafeLine),
      story: requiredText("Please write your story.", maxStoryLength),
      name: optionalText(maxNameLength).overwrite(toSafeLine),
      email: optionalEmail,
      // The files are checked separately. Here the field gets its place among the errors.
      [imageField]: z.string(),
    })
    .extend(altFields)
    .extend({
      consent: z.literal(
        "on",
        "Please check this box. We need your permission to publish the story.",
      ),
    }),
};

/** Decodes the images last, when everything else is valid, because that takes the most work. */
export async function receiveStory(
  { kind, form }: PostedForm,
  services: FormServices & NotifyServices,
): Promise<{ kind: "stored" } | Refusal> {
  const chosen = readChosenImages(form);
  const fileErrors: FieldErrors =
    kind === "whole" ? await findFileErrors(chosen) : { [imageField]: uploadErrors[kind] };
  return receiveForm(
    storyRule,
    form,
    services,
    async (story, key, visitorHash) => {
      const prepared = await prepareImages(chosen);
      if (prepared.kind === "refused") return prepared.errors;
      const images = prepared.images.map((image, index) => ({
        ...image,
        alt: toSafeLine(story[altField(index + 1)] ?? ""),
      }));
      return storeStory(services, story, images, key, visitorHash);
    },
    { knownErrors: fileErrors, isIncomplete: kind !== "whole" },
  );
}

const uploadErrors = {
  "too-large": `The photos are too large. Each can have up to ${maxImageMegabytes} MB. Please choose smaller ones.`,
  busy: busyMessage,
};

export async function storeStory(
  services: NotifyServices,
  { title, story, name, email }: Record<"title" | "story" | "name" | "email", string>,
  images: StoryImage[],
  key: string,
  visitorHash: string,
): Promise<FieldErrors | "repeated" | undefined> {
  const { db, clock } = services;
  return db.transaction(async (tx) => {
    const waiting = await tx.$count(storySubmissions, eq(storySubmissions.state, "waiting"));
    const isStored = (await tx.$count(storySubmissions, eq(storySubmissions.key, key))) > 0;
    if (waiting >= maxWaiting && !isStored)
      return {
        story:
          "We have more stories waiting than we can read. Please save yours and send it in a week.",
      };
    const [stored] = await tx
      .insert(storySubmissions)
      .values({
        title,
        text: story,
        name,
        email,
        key,
        visitorHash,
        state: "waiting",
        createdAt: clock(),
      })
      .onConflictDoNothing()
      .returning({ id: storySubmissions.id });
    if (!stored) return "repeated";
    for (const [position, image] of images.entries())
      await tx.insert(storyImages).values({ ...image, position, storyId: stored.id });
    await notifyNewsroom({ ...services, db: tx }, { kind: "story", id: stored.id }, () =>
      composeNewsroomMail(stored.id, title, images.length),
    );
    return undefined;
  });
}

function composeNewsroomMail(id: string, title: string, imageCount: number) {
  const shortId = shortenId(id);
  return {
    subject: mailSubjects.story,
    lines: [
      `"${title}"${imageCount > 0 ? `, with ${formatCount(imageCount, "image")}` : ""}`,
      "",
      "It is not on the site until an editor approves it:",
      "",
      `  ./newsroom stories show ${shortId}`,
      `  ./newsroom stories approve ${shortId}`,
      `  ./newsroom stories reject ${shortId}`,
      "",
      `If nobody approves or rejects it, it is deleted after ${waitingRetentionDays} days.`,
    ],
  };
}

/** Keeps approved stories and those of the desk, whatever their age. */
export function deleteOldStories(db: Database, clock: Clock): Promise<number> {
  const { state, writtenBy, createdAt, decidedAt } = storySubmissions;
  const isOld = or(
    and(eq(state, "waiting"), lt(createdAt, daysBefore(clock(), waitingRetentionDays))),
    and(
      or(eq(state, "rejected"), and(eq(state, "down"), eq(writtenBy, "reader"))),
      lt(decidedAt, daysBefore(clock(), rejectedRetentionDays)),
    ),
  );
  return deleteRows(db, storySubmissions, isOld);
}

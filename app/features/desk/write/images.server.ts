import { eq, inArray } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import type { PostedForm } from "../../../lib/form.ts";
import { busyMessage, readField } from "../../../lib/form.ts";
import type { Services } from "../../../platform/services.ts";
import {
  findFileErrors,
  prepareImages,
  readChosenImages,
} from "../../stories/readers/images.server.ts";
import { maxImageMegabytes } from "../../stories/readers/model.ts";
import { storyImages } from "../../stories/readers/schema.server.ts";
import { isUuid } from "./drafts.server.ts";
import { deskImages } from "./schema.server.ts";

/** The form field with the id that the browser chose for an image. */
const imageIdField = "id";

type Upload =
  | { kind: "none" }
  | { kind: "stored"; id: string }
  | { kind: "refused"; message: string };

/** Re-encodes and stores the image of a form, if it has one. */
export async function receiveImage(
  { db, clock }: Pick<Services, "db" | "clock">,
  draftId: string,
  { kind, form }: PostedForm,
): Promise<Upload> {
  if (kind === "too-large")
    return { kind: "refused", message: `A photo can have up to ${maxImageMegabytes} MB.` };
  if (kind === "busy") return { kind: "refused", message: busyMessage };
  const chosen = readChosenImages(form).slice(0, 1);
  if (chosen.length === 0) return { kind: "none" };
  const [problem] = Object.values(await findFileErrors(chosen));
  if (problem !== undefined) return { kind: "refused", message: problem };
  const prepared = await prepareImages(chosen);
  if (prepared.kind === "refused")
    return { kind: "refused", message: Object.values(prepared.errors).join(" ") };
  const [image] = prepared.images;
  if (!image) return { kind: "none" };
  const typedId = readField(form, imageIdField);
  const id = isUuid(typedId) ? typedId : crypto.randomUUID();
  // The image is there already if the response to the first upload was lost.
  await db
    .insert(deskImages)
    .values({ ...image, id, draftId, createdAt: clock() })
    .onConflictDoNothing();
  return { kind: "stored", id };
}

/** Returns those of these ids that images of drafts or stories have. */
export async function listStoredImages(db: Database, ids: string[]): Promise<Set<string>> {
  const known = ids.filter(isUuid);
  if (known.length === 0) return new Set();
  const found = await Promise.all(
    [deskImages, storyImages].map((table) =>
      db.select({ id: table.id }).from(table).where(inArray(table.id, known)),
    ),
  );
  return new Set(found.flat().map(({ id }) => id));
}

/** The size of an image of a draft or a story. */
export async function findImageSize(db: Database, id: string) {
  if (!isUuid(id)) return null;
  for (const table of [deskImages, storyImages]) {
    const [size] = await db
      .select({ width: table.width, height: table.height })
      .from(table)
      .where(eq(table.id, id));
    if (size) return size;
  }
  return null;
}

/** Serves an image to an editor, also if it is not published. */
export async function draftImageResponse(db: Database, file: string): Promise<Response> {
  const id = file.replace(/\.webp$/, "");
  if (isUuid(id))
    for (const table of [deskImages, storyImages]) {
      const [image] = await db.select({ bytes: table.bytes }).from(table).where(eq(table.id, id));
      if (image)
        return new Response(new Uint8Array(image.bytes), {
          headers: { "Content-Type": "image/webp", "Cache-Control": "no-store" },
        });
    }
  return new Response("This image was not found.\n", { status: 404 });
}

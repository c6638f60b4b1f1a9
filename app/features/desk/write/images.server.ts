import { and, eq, inArray, type SQL } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import type { PostedForm } from "../../../lib/form.ts";
import { busyMessage, readField } from "../../../lib/form.ts";
import { listStoredImages } from "../../../lib/images/stored-image.ts";
import { isUuid } from "../../../lib/is-uuid.ts";
import type { Services } from "../../../platform/services.ts";
import { postImages } from "../../blog/schema.server.ts";
import type { NewImage } from "../../stories/desk/rows.server.ts";
import {
  findFileErrors,
  prepareImages,
  readChosenImages,
} from "../../stories/readers/images.server.ts";
import { maxImageMegabytes } from "../../stories/readers/model.ts";
import { storyImages } from "../../stories/schema.server.ts";
import { deskImageFolder } from "./model.ts";
import { type Draft, deskImages } from "./schema.server.ts";

const imageTables = [deskImages, storyImages, postImages] as const;
type ImageTable = (typeof imageTables)[number];

/** The form field with the id that the browser chose for an image. */
const imageIdField = "id";

type Upload =
  | { kind: "none" }
  | { kind: "stored"; id: string }
  | { kind: "refused"; message: string };

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

/** The ids and sizes of those of these images that a draft or the item that it changes has. */
export async function listImages(db: Database, { id, kind, rowId }: Draft, ids: string[]) {
  const known = ids.filter(isUuid);
  if (known.length === 0) return [];
  const select = <Table extends ImageTable>(table: Table, isOwner: SQL) =>
    db
      .select({ id: table.id, width: table.width, height: table.height })
      .from(table as ImageTable)
      .where(and(inArray(table.id, known), isOwner));
  const own = await select(deskImages, eq(deskImages.draftId, id));
  if (rowId === null || kind === "event") return own;
  const published =
    kind === "story"
      ? await select(storyImages, eq(storyImages.storyId, rowId))
      : await select(postImages, eq(postImages.postId, Number(rowId)));
  return [...own, ...published];
}

export async function readDraftImages(
  tx: Database,
  draft: Pick<Draft, "id" | "fields">,
): Promise<NewImage[]> {
  const { id, width, height, bytes, draftId } = deskImages;
  const ids = [draft.fields.image, ...listStoredImages(draft.fields.text)].filter(isUuid);
  if (ids.length === 0) return [];
  return tx
    .select({ id, width, height, bytes })
    .from(deskImages)
    .where(and(eq(draftId, draft.id), inArray(id, ids)));
}

/** Readers cannot open these images yet, but editors can. */
export const showDeskImages = (html: string) =>
  html.replaceAll('src="/pictures/', `src="${deskImageFolder}`);

export async function deskImageResponse(db: Database, file: string): Promise<Response> {
  const id = file.replace(/\.webp$/, "");
  if (isUuid(id))
    for (const table of imageTables) {
      const [image] = await db.select({ bytes: table.bytes }).from(table).where(eq(table.id, id));
      if (image)
        return new Response(new Uint8Array(image.bytes), {
          headers: { "Content-Type": "image/webp", "Cache-Control": "no-store" },
        });
    }
  return new Response("This image was not found.\n", { status: 404 });
}

import { isRecord } from "../../../../lib/is-record.ts";
import { uploadPath } from "../model.ts";

/** An image that waits on the device until it is sent. */
type PendingImage = { id: string; draft: string; file: File };

const storeName = "images";
/** Long enough for a photo on a slow connection. */
const uploadTimeoutMs = 120_000;

/** Opens the database of the browser. Text fits into its local storage, but photos do not. */
function openStore(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("desk", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: "id" });
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const transaction = request.result.transaction(storeName, mode);
      transaction.oncomplete = () => request.result.close();
      resolve(transaction.objectStore(storeName));
    };
  });
}

const finish = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Images that the browser does not store. They wait as long as the page is open. */
const unstored = new Map<string, PendingImage>();

export const storeImage = (image: PendingImage): Promise<unknown> =>
  openStore("readwrite")
    .then((store) => finish(store.put(image)))
    .catch(() => unstored.set(image.id, image));

async function deleteImage(id: string): Promise<void> {
  if (unstored.delete(id)) return;
  // If it stays, it is sent again, and the server ignores it.
  await openStore("readwrite")
    .then((store) => finish(store.delete(id)))
    .catch(() => {});
}

export async function listPendingImages(draft: string): Promise<PendingImage[]> {
  const stored: PendingImage[] = await openStore("readonly")
    .then((store) => finish(store.getAll()))
    .catch(() => []);
  return [...stored, ...unstored.values()].filter((image) => image.draft === draft);
}

/**
 * Returns why the server refused images, by their ids. What could not be sent stays on the device.
 */
export async function sendPendingImages(draft: string): Promise<Map<string, string>> {
  const refusals = new Map<string, string>();
  for (const { id, file } of await listPendingImages(draft)) {
    const form = new FormData();
    form.set("id", id);
    form.set("photo", await shrinkImage(file), file.name);
    const response = await fetch(uploadPath(draft), {
      method: "POST",
      body: form,
      redirect: "manual",
      signal: AbortSignal.timeout(uploadTimeoutMs),
    }).catch(() => null);
    const body: unknown = response?.headers.get("Content-Type")?.startsWith("application/json")
      ? await response.json().catch(() => null)
      : null;
    if (!isRecord(body)) continue;
    if (body.kind === "refused") refusals.set(id, String(body.message));
    await deleteImage(id);
  }
  return refusals;
}

/** In pixels. The server makes images smaller than that. */
const maxSide = 2_400;

/**
 * A camera's file is often larger than what the server accepts. A file that the browser cannot read
 * is sent unchanged, and the server says what is wrong with it.
 */
async function shrinkImage(file: Blob): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
    if (scale === 1 && file.size < 2_000_000) return file;
    const canvas = new OffscreenCanvas(
      Math.round(bitmap.width * scale),
      Math.round(bitmap.height * scale),
    );
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
  } catch {
    return file;
  }
}

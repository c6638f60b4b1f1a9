import { isUuid } from "../is-uuid.ts";

/** The path of an image in the database: of a reader's story, or added by an editor. */
export const storedImagePath = (id: string): string => `/pictures/${id}.webp`;

/** The ids of the images in the database whose paths a text contains, each once. */
export const listStoredImages = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\/pictures\/([0-9a-f-]{36})\.webp/g)]
      .map(([, id = ""]) => id)
      .filter(isUuid),
  ),
];

/** Returns the id of the image in the database at this path. Undefined if none can be there. */
export const findStoredImage = (path: string): string | undefined =>
  listStoredImages(path).find((id) => path === storedImagePath(id));

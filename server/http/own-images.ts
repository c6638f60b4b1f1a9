import type { ReadOwnImage, WasImageRemoved } from "../../app/platform/share-card.ts";

type FetchOwn = (request: Request) => Response | Promise<Response>;

/** Reads images exactly as readers get them. `fetchOwn` handles a request in this process. */
export const createImageReader =
  (fetchOwn: FetchOwn, origin: () => string): ReadOwnImage =>
  async (path) => {
    // A post can name any path as its image. A share image must not be made from share images.
    if (!path.startsWith("/") || path.startsWith("/share/")) return null;
    const response = await fetchOwn(new Request(`${origin()}${path}`));
    const type = response.headers.get("Content-Type") ?? "";
    if (response.status === 200 && type.startsWith("image/")) return response.bytes();
    await response.body?.cancel();
    return null;
  };

/** The paths of images in the city folder. */
const cityImage = /^\/(?:art|photos)\//;

export const createRemovalCheck =
  (fetchOwn: FetchOwn, origin: () => string): WasImageRemoved =>
  async (path) => {
    if (!cityImage.test(path)) return false;
    const response = await fetchOwn(new Request(`${origin()}${path}`, { method: "HEAD" }));
    return response.status === 404;
  };

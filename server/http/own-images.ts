import type { ReadOwnImage, WasImageRemoved } from "../../app/platform/share-card.ts";

type FetchOwn = (request: Request) => Response | Promise<Response>;

/**
 * Gives access to the images on our own server exactly as readers get them. `fetchOwn` handles a
 * request in this process.
 */
export function createImageReader(fetchOwn: FetchOwn, readOrigin: () => string) {
  const request = async (path: string, method = "GET") =>
    fetchOwn(new Request(`${readOrigin()}${path}`, { method }));

  const readImage: ReadOwnImage = async (path) => {
    // A post can name any path as its image. A share image must not be made from share images.
    if (!path.startsWith("/") || path.startsWith("/share/")) return null;
    const response = await request(path);
    const type = response.headers.get("Content-Type") ?? "";
    if (response.status === 200 && type.startsWith("image/")) return response.bytes();
    await response.body?.cancel();
    return null;
  };
  // Only images in the city folder are files that the newsroom can remove.
  const wasRemoved: WasImageRemoved = async (path) =>
    /^\/(?:art|photos)\//.test(path) && (await request(path, "HEAD")).status === 404;
  return { readImage, wasRemoved };
}

type FetchOwn = (request: Request) => Response | Promise<Response>;

/** All images that readers get are smaller than this. */
const maxImageBytes = 8 * 1024 * 1024;

/**
 * Creates a function that reads an image on our own server exactly as readers get it. It returns
 * null if there is no such image. `fetchOwn` handles a request in this process.
 */
export function createImageReader(fetchOwn: FetchOwn, origin: () => string) {
  return async (path: string): Promise<Uint8Array | null> => {
    // A post can name any path as its image. A share image must not be made from share images.
    if (!path.startsWith("/") || path.startsWith("/share/")) return null;
    const response = await fetchOwn(new Request(`${origin()}${path}`));
    const type = response.headers.get("Content-Type") ?? "";
    if (response.status === 200 && type.startsWith("image/") && response.body)
      return readLimited(response.body);
    await response.body?.cancel();
    return null;
  };
}

async function readLimited(body: ReadableStream<Uint8Array>): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxImageBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

import { artPath, findAvailable } from "../../lib/images/art.ts";

type Artwork = { src: string; sizes: string; type: string };

/** Lists the images that a lock screen can choose from: the station's, and the icon of the site. */
export function listArtwork(
  image: { file: string; width: number; height: number } | undefined,
  touchIcon: string,
): Artwork[] {
  const found = findAvailable(image);
  return [
    ...(found ? [toArtwork(artPath(found.file), `${found.width}x${found.height}`)] : []),
    toArtwork(artPath(touchIcon), "180x180"),
  ];
}

const toArtwork = (src: string, sizes: string): Artwork => ({
  src,
  sizes,
  type: /\.jpe?g(?:\?|$)/.test(src) ? "image/jpeg" : "image/png",
});

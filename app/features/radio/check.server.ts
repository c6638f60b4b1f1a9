import { findAvailable, toImageKey } from "../../lib/images/art.ts";
import type { Check } from "../../platform/city.ts";
import { radioFile } from "./files.server.ts";

/** Lock screens scale the image up to about this size. */
const minArtworkWidth = 512;

/** Finds an image of the station that lock screens would crop, blur or not show. */
export const checkArtwork: Check = (city) => {
  const artwork = findAvailable(city.read(radioFile)?.artwork);
  if (!artwork) return [];
  const { width, height } = artwork;
  const name = toImageKey(artwork.file).replace("/art/", "");
  const isPng = name.toLowerCase().endsWith(".png");
  if (isPng && width === height && width >= minArtworkWidth) return [];
  return [
    {
      file: radioFile.path,
      at: ["artwork", "file"],
      field: "artwork",
      message: `must be a square PNG, at least ${minArtworkWidth} pixels wide, but ${name} is ${isPng ? `${width} × ${height} pixels` : "not a PNG"}`,
    },
  ];
};

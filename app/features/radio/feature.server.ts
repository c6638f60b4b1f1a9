import { findAvailable, toImageKey } from "../../lib/images/art.ts";
import type { Check } from "../../platform/city.ts";
import type { Feature } from "../../platform/feature.ts";
import { radioFile } from "./files.server.ts";

/** Lock screens scale the station's image up to about this width, in pixels. */
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

export { streamPath, streamPort, titlePath } from "./model.ts";

export const radio: Feature = {
  name: "radio",
  part: "radio",
  files: [radioFile],
  launch: (site) =>
    site.read(radioFile).schedule?.sample
      ? [
          {
            file: radioFile.path,
            at: ["schedule", "sample"],
            message: "says that the schedule is a sample.",
            fix: "Write the real programs and remove this line, or delete the schedule.",
          },
        ]
      : [],
  checks: [checkArtwork],
  pages(site) {
    const { title, station, subtitle, description } = site.read(radioFile);
    return {
      "/radio": { title, aliases: [station], summary: description, body: `${station} ${subtitle}` },
    };
  },
};

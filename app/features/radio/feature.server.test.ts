import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { City } from "../../platform/city.ts";
import { checkArtwork } from "./feature.server.ts";
import { radioFile } from "./files.server.ts";

/** Checks radio.yaml with an image as it is after its file was read. */
function listMessages(file: string, width: number, height: number) {
  const parsed = radioFile.parse(readFileSync("sites/baltimore/radio.yaml", "utf8"));
  const value = parsed.ok && { ...parsed.value, artwork: { file, alt: "", width, height } };
  return checkArtwork({ read: () => value } as unknown as City);
}

it("the image of the station may be a large square PNG", () => {
  expect(listMessages("/art/station.png/512.png?v=a", 512, 512)).toEqual([]);
  expect(listMessages("/art/Station.PNG/1600.png?v=a", 1600, 1600)).toEqual([]);
});

it.each([
  ["/art/wide.png/800.png?v=a", 800, 600, "wide.png is 800 × 600 pixels"],
  ["/art/small.png/180.png?v=a", 180, 180, "small.png is 180 × 180 pixels"],
  ["/art/station.svg?v=a", 600, 600, "station.svg is not a PNG"],
  ["/art/station.jpg/600.jpg?v=a", 600, 600, "station.jpg is not a PNG"],
])("validation refuses %s (%d × %d)", async (file, width, height, reason) => {
  expect(await listMessages(file, width, height)).toEqual([
    {
      file: "radio.yaml",
      at: ["artwork", "file"],
      field: "artwork",
      message: `must be a square PNG, at least 512 pixels wide, but ${reason}`,
    },
  ]);
});

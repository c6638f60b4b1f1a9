import { expect, it } from "vitest";
import { createImagePathMapper } from "./image-paths.server.ts";

const toImagePath = createImagePathMapper(Buffer.from("key"), "https://city.example");

it.each([
  ["https://city.example/art/a.svg?v=1#top", "/art/a.svg?v=1"],
  ["https://city.example//evil.example/a.png", "/evil.example/a.png"],
  ["https://city.example/\\evil.example/a.png", "/evil.example/a.png"],
])("serves the image %s from our own host", (url, path) => {
  expect(toImagePath(url)).toBe(path);
});

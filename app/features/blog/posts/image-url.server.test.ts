import { expect, it } from "vitest";
import { imagePathWith } from "./image-url.server.ts";

const address = imagePathWith(Buffer.from("key"), "https://city.example");

it.each([
  ["https://city.example/art/a.svg?v=1#top", "/art/a.svg?v=1"],
  ["https://city.example//evil.example/a.png", "/evil.example/a.png"],
  ["https://city.example/\\evil.example/a.png", "/evil.example/a.png"],
])("keeps the picture %s on our own host", (link, path) => {
  expect(address(link)).toBe(path);
});

import { expect, it } from "vitest";
import { findImagePaths, toImageKey } from "./art.ts";
import {
  addPhotoSources,
  describeCredit,
  describePhoto,
  describeSizes,
  findPhotoSources,
  listWidths,
  toSinglePath,
} from "./photos.ts";

it.each([
  [1_600, [480, 960, 1_600]],
  [1_000, [480, 1_000]],
  [500, [500]],
  [36, [36]],
])("a photo that is %i pixels wide has the widths %j", (width, widths) => {
  expect(listWidths(width)).toEqual(widths);
});

it("a photo has sources in smaller formats, and one that every browser can show", () => {
  expect(findPhotoSources("/photos/news/pier.jpg/700.jpg?v=a-b")).toEqual({
    src: "/photos/news/pier.jpg/700.jpg?v=a-b",
    srcSet: "/photos/news/pier.jpg/480.jpg?v=a-b 480w, /photos/news/pier.jpg/700.jpg?v=a-b 700w",
    modern: ["avif", "webp"].map((format) => ({
      type: `image/${format}`,
      srcSet: `/photos/news/pier.jpg/480.${format}?v=a-b 480w, /photos/news/pier.jpg/700.${format}?v=a-b 700w`,
    })),
  });
  // A transparent photo is a WebP for all browsers that do not support AVIF.
  expect(findPhotoSources("/art/logo.webp/300.webp?v=x")?.modern.map(({ type }) => type)).toEqual([
    "image/avif",
  ]);
});

it("a photo whose sides are cut off is as sharp as others", () => {
  const landscape = { width: 1_600, height: 1_200 };
  const panorama = { width: 1_600, height: 450 };
  expect(describeSizes("story", landscape)).toBe("(min-width: 52rem) 50rem, 100vw");
  expect(describeSizes("story", panorama)).toBe(
    "(min-width: 52rem) calc(2 * 50rem), calc(2 * 100vw)",
  );
  expect(describeSizes("page", panorama)).toBe("100vw");
});

it.each(["/art/crab.svg?v=x", "/art/touch-icon.png?v=x", "/pictures/1a.webp", "crab.svg"])(
  "%s has no other sources",
  (file) => {
    expect(findPhotoSources(file)).toBeNull();
    expect(toSinglePath(file)).toBe(file);
  },
);

it("photos in a text get their sources, whatever their description contains", () => {
  const drawing = '<img width="4" height="3" src="/art/crab.svg?v=x" alt="">';
  const photo = (rest: string) =>
    `<img width="400" height="300" src="/photos/news/pier.jpg/400.jpg?v=x"${rest}>`;
  const html = `<p>${photo(' alt="5 > 4" title="The pier"')} and ${photo(' alt=""')}</p>${drawing}`;
  const withSources = addPhotoSources(html);
  expect(withSources.match(/<picture>/g)).toHaveLength(2);
  expect(withSources).toContain('alt="5 > 4" title="The pier"></picture> and <picture>');
  expect(withSources).toContain(`</p>${drawing}`);
});

it("all variants of a photo are the same image", () => {
  const key = "/photos/news/pier.jpg";
  expect(toImageKey(`${key}/960.avif?v=x`)).toBe(key);
  expect(findImagePaths([{ file: `${key}/1600.jpg?v=x` }, `<img src="${key}/480.jpg">`])).toEqual(
    new Set([key]),
  );
  expect(findImagePaths(["crab.svg", "/art/pier.jpg/700.jpg?v=x", "/pictures/1a.webp"])).toEqual(
    new Set(["/art/crab.svg", "/art/pier.jpg", "/pictures/1a.webp"]),
  );
});

it.each([
  ["Ada Byrd", "Photo: Ada Byrd"],
  ["Byron Mapes", "Photo: Byron Mapes"],
  ["Photo by Ada Byrd", "Photo by Ada Byrd"],
  ["By Ada Byrd", "By Ada Byrd"],
  ["Courtesy of the Pratt Library", "Courtesy of the Pratt Library"],
  ["© Ada Byrd", "© Ada Byrd"],
])("the credit %j is shown as %j", (credit, shown) => {
  expect(describeCredit({ file: "pier.jpg", credit })).toBe(shown);
});

it("a caption and a credit in one line do not run together", () => {
  const photo = { file: "pier.jpg", caption: "The pier", credit: "Ada Byrd" };
  expect(describePhoto(photo)).toBe("The pier. Photo: Ada Byrd");
  expect(describePhoto({ ...photo, caption: "The pier." })).toBe("The pier. Photo: Ada Byrd");
  expect(describePhoto({ ...photo, caption: null })).toBe("Photo: Ada Byrd");
  expect(describePhoto({ ...photo, credit: null })).toBe("The pier");
  expect(describePhoto({ ...photo, file: "map.svg", caption: null })).toBe(
    "Illustration: Ada Byrd",
  );
});

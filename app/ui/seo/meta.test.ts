import { describe, expect, it } from "vitest";
import { pageMeta } from "./meta.ts";

const site = {
  name: "Harborline Baltimore",
  origin: "https://baltimore.harborline.example",
  shareImage: { file: "share.png", width: 1200, height: 630, alt: "The harbor." },
};
const about = { title: "About", description: "Who we are.", path: "/about" };

describe("the head of a page", () => {
  it("has the names of the page and the site, and the canonical URL", () => {
    const head = pageMeta(site, about);
    expect(head).toContainEqual({ title: "About | Harborline Baltimore" });
    expect(head).toContainEqual({
      tagName: "link",
      rel: "canonical",
      href: "https://baltimore.harborline.example/about",
    });
    expect(head).toContainEqual({
      property: "og:image",
      content: "https://baltimore.harborline.example/art/share.png",
    });
  });

  it("names the page's own share image with its size and description", () => {
    const image = { path: "/share/news/a/v.png", width: 1200, height: 630, alt: "A headline." };
    const head = pageMeta(site, { ...about, image });
    expect(head).toEqual(
      expect.arrayContaining([
        {
          property: "og:image",
          content: "https://baltimore.harborline.example/share/news/a/v.png",
        },
        { property: "og:image:type", content: "image/png" },
        { property: "og:image:width", content: "1200" },
        { property: "og:image:height", content: "630" },
        { property: "og:image:alt", content: "A headline." },
        { name: "twitter:card", content: "summary_large_image" },
      ]),
    );
    expect(JSON.stringify(head)).not.toContain("share.png");
  });

  it("of an unlisted page keeps search engines away and has no canonical URL", () => {
    const head = pageMeta(site, { ...about, index: false });
    expect(head).toContainEqual({ name: "robots", content: "noindex" });
    expect(JSON.stringify(head)).not.toContain("canonical");
  });
});

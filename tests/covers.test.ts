import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { parse } from "yaml";

it("every book has a cover, with outlines instead of text", async () => {
  const site = "sites/baltimore";
  const { books }: { books: { id: string }[] } = parse(
    await readFile(join(site, "books.yaml"), "utf8"),
  );
  expect(books).toHaveLength(45);
  for (const { id } of books) {
    const cover = await readFile(join(site, "covers", `${id}.svg`), "utf8");
    // An image cannot load a web font, so text in an image would appear in whatever serif font the
    // reader has.
    expect(cover).not.toContain("<text");
    expect(gzipSync(cover).length, id).toBeLessThan(8_000);
  }
});

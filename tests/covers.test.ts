import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { temporaryFolder } from "./support/server.ts";

it("the book covers match the list of books and contain outlines instead of text", async () => {
  const output = await temporaryFolder();
  const site = "sites/baltimore";
  await promisify(execFile)(process.execPath, [
    "tools/draw-covers.ts",
    `${site}/books.yaml`,
    output.path,
  ]);
  const names = await readdir(output.path);
  expect(names).toHaveLength(45);
  for (const name of names) {
    const cover = await readFile(join(site, "covers", name), "utf8");
    expect(
      cover === (await readFile(join(output.path, name), "utf8")),
      `${name} is up to date`,
    ).toBe(true);
    // An image cannot load a web font, so text in an image would appear in whatever serif font the
    // reader has.
    expect(cover).not.toContain("<text");
    expect(gzipSync(cover).length, name).toBeLessThan(8_000);
  }
  await output.remove();
});

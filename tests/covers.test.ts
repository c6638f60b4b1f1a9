import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { temporaryFolder } from "./support/server.ts";

it("the covers are those that the script draws from the list of books, in outlines of our own serif", async () => {
  const drawn = await temporaryFolder();
  const site = "sites/baltimore";
  await promisify(execFile)(process.execPath, [
    "tools/draw-covers.ts",
    `${site}/books.yaml`,
    drawn.path,
  ]);
  const names = await readdir(drawn.path);
  expect(names).toHaveLength(45);
  for (const name of names) {
    const cover = await readFile(join(site, "covers", name), "utf8");
    expect(
      cover === (await readFile(join(drawn.path, name), "utf8")),
      `${name} is up to date`,
    ).toBe(true);
    // An image cannot load a web font: text in it would be set in whatever serif the reader has.
    expect(cover).not.toContain("<text");
    expect(gzipSync(cover).length, name).toBeLessThan(8_000);
  }
  await drawn.remove();
}, 30_000);

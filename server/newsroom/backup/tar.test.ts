import { expect, it } from "vitest";
import { encodeTarEntry, readTar, tarEnd } from "./tar.ts";

it("an archive is read up to the first entry that is too large, without reading that entry", async () => {
  const time = new Date("2026-11-15T12:00:00Z");
  const names: string[] = [];
  let blocksRead = 0;
  async function* readBlocks() {
    for (const size of [10, 11, 12]) {
      const entry = encodeTarEntry({ name: `${size}.txt`, content: Buffer.alloc(size) }, time);
      for (let at = 0; at < entry.length; at += 512) {
        blocksRead += 1;
        yield entry.subarray(at, at + 512);
      }
    }
    yield tarEnd;
  }
  const readAll = async () => {
    for await (const { name } of readTar(readBlocks(), 11)) names.push(name);
  };
  await expect(readAll()).rejects.toThrow("A file in the archive is too large.");
  expect(names).toEqual(["10.txt", "11.txt"]);
  expect(blocksRead).toBe(5);
});

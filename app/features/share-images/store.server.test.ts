import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../tests/support/server.ts";
import { createLog } from "../../lib/log.ts";
import type { RenderedImage } from "./render.server.ts";
import { createStore } from "./store.server.ts";

const image: RenderedImage = { bytes: Buffer.from("an image"), isFinal: true };
const item = (key: string) => ({ key, version: "v1" });

async function openStore() {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  const lines: string[] = [];
  const folder = join(path, "share");
  const log = createLog({ write: (line) => lines.push(line) });
  const reopen = () => createStore({ folder, log });
  return { store: reopen(), folder, lines, reopen };
}

/** An image that is made when the test says so. */
function createSlowImage() {
  const { promise, resolve } = Promise.withResolvers<RenderedImage>();
  let count = 0;
  const make = () => {
    count += 1;
    return promise;
  };
  return { make, count: () => count, finish: () => resolve(image) };
}

describe("share images", () => {
  it("are made once for all who ask at the same time, and then stored", async () => {
    const { store } = await openStore();
    let count = 0;
    const make = async () => {
      count += 1;
      return image;
    };
    const results = await Promise.all(
      Array.from({ length: 4 }, () => store.get(item("a"), "192.0.2.1", make)),
    );
    expect(results).toEqual([image, image, image, image]);
    expect(await store.get(item("a"), "192.0.2.1", make)).toEqual(image);
    expect(count).toBe(1);
  });

  it("are read from the folder after a restart", async () => {
    const { store, reopen } = await openStore();
    const remake = async () => expect.unreachable();
    await store.get(item("a"), "192.0.2.1", async () => image);
    expect(await reopen().get(item("a"), "192.0.2.1", remake)).toEqual(image);
  });

  it("are made again if their file is empty, as after a power failure", async () => {
    const { store, folder, reopen } = await openStore();
    await store.get(item("a"), "192.0.2.1", async () => image);
    const names = await readdir(folder, { recursive: true });
    const name = names.find((each) => each.endsWith("image.png")) ?? expect.unreachable();
    await writeFile(join(folder, name), "");
    expect(await reopen().get(item("a"), "192.0.2.1", async () => image)).toEqual(image);
    const remake = async () => expect.unreachable();
    expect(await reopen().get(item("a"), "192.0.2.1", remake)).toEqual(image);
  });

  it("are made again if the disk does not accept them", async () => {
    const { store, folder, lines } = await openStore();
    await writeFile(folder, "a file in place of the folder");
    expect(await store.get(item("a"), "192.0.2.1", async () => image)).toEqual(image);
    expect(lines.join("")).toContain("share_image.not_stored");
    expect(await store.get(item("a"), "192.0.2.1", async () => image)).toEqual(image);
  });

  it("are not made for a visitor who already waits for five", async () => {
    const { store } = await openStore();
    const slow = createSlowImage();
    const waiting = ["a", "b", "c", "d", "e"].map((key) =>
      store.get(item(key), "192.0.2.1", slow.make),
    );
    await expect.poll(() => slow.count()).toBe(5);
    expect(await store.get(item("f"), "192.0.2.1", slow.make)).toBe("busy");
    const other = store.get(item("f"), "192.0.2.2", slow.make);
    slow.finish();
    expect(await Promise.all([...waiting, other])).toEqual(Array(6).fill(image));
    expect(await store.get(item("g"), "192.0.2.1", slow.make)).toEqual(image);
  });

  it("are not made if too many are waiting", async () => {
    const { store } = await openStore();
    const slow = createSlowImage();
    const waiting = Array.from({ length: 40 }, (_, index) =>
      store.get(item(`a${index}`), `192.0.2.${index}`, slow.make),
    );
    await expect.poll(() => slow.count()).toBe(40);
    expect(await store.get(item("b"), "198.51.100.1", slow.make)).toBe("busy");
    // Someone who asks for an image that is being made waits for it.
    const shared = store.get(item("a0"), "198.51.100.1", slow.make);
    slow.finish();
    expect(await Promise.all([...waiting, shared])).toEqual(Array(41).fill(image));
  });

  it("that cannot be made are not tried again at once", async () => {
    const { store, lines } = await openStore();
    let count = 0;
    const fail = async () => {
      count += 1;
      throw new Error("the font is damaged");
    };
    expect(await store.get(item("a"), "192.0.2.1", fail)).toBe("failed");
    expect(await store.get(item("a"), "192.0.2.1", fail)).toBe("failed");
    expect(count).toBe(1);
    expect(lines.join("")).toContain("the font is damaged");
  });
});

import { describe, expect, it } from "vitest";
import { createIcyReader } from "./icy.ts";

function metadataBlock(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text as string);
  const length = Math.ceil(bytes.length / 16);
  return Buffer.concat([Buffer.from([length]), bytes, Buffer.alloc(16 * length - bytes.length)]);
}

describe("the metadata of a station", () => {
  const stream = Buffer.concat([
    Buffer.from("soundsou"),
    metadataBlock("StreamTitle='Crabs & Rust - It's low tide';StreamUrl='x';"),
    Buffer.from("ndsounds"),
    metadataBlock(""),
    Buffer.from("ound"),
  ]);

  it("is removed from the audio no matter in which pieces the stream arrives", () => {
    for (let size = 1; size <= stream.length; size += 1) {
      const titles: (string | null)[] = [];
      const read = createIcyReader(8, (title) => titles.push(title));
      let heard = "";
      for (let at = 0; at < stream.length; at += size)
        heard += read(stream.subarray(at, at + size));
      expect(heard).toBe("soundsoundsoundsound");
      expect(titles).toEqual(["Crabs & Rust - It's low tide"]);
    }
  });

  it("can be in Latin-1, and each title becomes one clean line", () => {
    const titles: (string | null)[] = [];
    const read = createIcyReader(1, (title) => titles.push(title));
    read(
      Buffer.concat([
        Buffer.from("a"),
        metadataBlock(Buffer.from("StreamTitle='Café\n del\u0007 Mar';", "latin1")),
      ]),
    );
    read(Buffer.concat([Buffer.from("a"), metadataBlock("StreamTitle='';")]));
    expect(titles).toEqual(["Café del Mar", null]);
  });
});

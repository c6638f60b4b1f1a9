import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDataFolder } from "../support/data-folder.ts";
import { runInServer } from "../support/newsroom.ts";
import { type RunningServer, startServer } from "../support/server.ts";

let folder: Awaited<ReturnType<typeof createDataFolder>>;
let server: RunningServer;
let token: string;
let extraTokens: string[];
beforeAll(async () => {
  folder = await createDataFolder();
  server = await startServer({ DATA_DIR: folder.path, TRUST_PROXY: "1" });
  token = await readToken("/community/submit");
  // The server accepts a form only after its token is two seconds old. The second test waits for
  // that.
  extraTokens = await Promise.all(Array.from({ length: 3 }, () => readToken("/community/submit")));
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const readText = async (path: string) => (await fetch(server.url + path)).text();
const readStatus = async (path: string) => (await fetch(server.url + path)).status;
const readToken = async (path: string) =>
  /name="token" value="([^"]+)"/.exec(await readText(path))?.[1] ?? "";

const newsroom = (...args: string[]) => runInServer(folder.path, args);

type File = { name: string; bytes: Uint8Array };

async function sendStory(
  files: File[] = [],
  changes: Record<string, string> = {},
  ipAddress = "192.0.2.1",
) {
  const form = new FormData();
  const fields = {
    title: "The Cat of Pier 5",
    name: "Ann\u001b[31m",
    email: "ann@example.com",
    consent: "on",
  };
  const story = "It began with a cat <b>bold</b>.\r\n\r\nSecond \u001b]0;owned\u0007paragraph.";
  for (const [name, value] of Object.entries({
    ...fields,
    story,
    token,
    alt1: "A cat on a rope",
    ...changes,
  }))
    form.set(name, value);
  for (const [index, { name, bytes }] of files.entries())
    form.set(`picture${index + 1}`, new Blob([new Uint8Array(bytes)]), name);
  return fetch(`${server.url}/community/submit`, {
    method: "POST",
    headers: { "x-forwarded-for": ipAddress },
    body: form,
  });
}

/** Creates a photo as from a phone: stored rotated, with metadata about where it was taken. */
const createPhoto = () =>
  sharp({ create: { width: 2_400, height: 1_200, channels: 3, background: "#2f6f7e" } })
    .withExif({
      IFD0: { Make: "Sample Phone" },
      IFD3: { GPSLatitude: "39/1 17/1 0/1", GPSLatitudeRef: "N" },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

describe("a reader's story", () => {
  it("with invalid photos is refused, with the typed text preserved and a reason for each file", async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    );
    const response = await sendStory([
      { name: "innocent.jpg", bytes: svg },
      {
        name: "large.jpg",
        bytes: Buffer.concat([await createPhoto(), Buffer.alloc(8 * 1024 * 1024)]),
      },
      { name: "empty.jpg", bytes: Buffer.alloc(0) },
    ]);
    const page = await response.text();
    expect(response.status).toBe(422);
    expect(page).toContain("3 fields need another look.");
    expect(page).toMatch(/id="picture1-error"[^>]*>We cannot read this file/);
    expect(page).toMatch(/id="picture2-error"[^>]*>This photo is larger than 8 MB/);
    expect(page).toMatch(/id="picture3-error"[^>]*>This file is empty/);
    expect(page).toContain('value="The Cat of Pier 5"');
    expect(page).toContain('value="A cat on a rope"');
    expect(page).toContain("please choose them again");

    const tooLarge = await sendStory(
      [1, 2, 3].map((n) => ({ name: `${n}.jpg`, bytes: Buffer.alloc(9_000_000) })),
    );
    const tooLargePage = await tooLarge.text();
    expect(tooLarge.status).toBe(422);
    expect(tooLargePage).toContain("The photos are too large.");
    expect(tooLargePage).toContain('value="The Cat of Pier 5"');
  });

  it("waits for an editor together with its images, and has a page from its approval until its rejection", async () => {
    // In the first two seconds, the server refuses the form because it assumes that a bot sends it.
    const send = async () =>
      (await sendStory([{ name: "cat.jpg", bytes: await createPhoto() }])).status;
    await expect.poll(send, { timeout: 10_000, interval: 500 }).toBe(200);
    expect(await send()).toBe(200);
    expect(await readText("/community")).not.toContain("The Cat of Pier 5");

    const [{ id, pictures: imageCount }, ...otherStories] = JSON.parse(
      (await newsroom("stories", "list", "--json")).output,
    );
    expect(otherStories).toEqual([]);
    expect(imageCount).toBe(1);
    const showResult = await newsroom("stories", "show", id.slice(0, 8), "--to", folder.path);
    expect(showResult.output).toContain("from:      Ann[31m, ann@example.com");
    expect(showResult.output).not.toContain("\u001b");
    const file = join(folder.path, `story-${id.slice(0, 8)}`, "image-1.webp");
    const storedImage = await readFile(file);
    // The image is upright, smaller, and has no metadata about the phone and the place.
    expect(await sharp(storedImage).metadata()).toMatchObject({
      format: "webp",
      width: 1_000,
      height: 2_000,
    });
    expect((await sharp(storedImage).metadata()).exif).toBeUndefined();
    expect(storedImage.length).toBeLessThan(1024 * 1024);

    for (const [options, message] of [
      ["--images 2", "The story has 1 image. Use for example --images 1,2 or --images none."],
      ["--pictures 2", '"--pictures" is now called "--images".'],
      ["--titel x", '"stories approve" has no option "--titel". Did you mean "--title"?'],
      ["--alt 1", '"--alt 1" has no description.'],
      ["--alt 1=", '"--alt 1=" has no description.'],
      ["--alt 2=Cat", 'The story has 1 image. "--alt 2=Cat" does not match any of them.'],
      ["--alt 1=Cat --alt 1=Dog", "Image 1 has two descriptions."],
      ["--images none --alt 1=Cat", "Image 1 has a description but is not in --images."],
      ["--text /no/such.txt", "Could not read /no/such.txt: the file does not exist."],
      ["--text /", "Could not read /: it is a folder."],
    ] as const)
      expect(
        await newsroom("stories", "approve", id, ...options.split(" ")),
        options,
      ).toMatchObject({
        code: 2,
        output: expect.stringContaining(message),
      });
    // One character of the id is enough while there is only one story.
    const approved = await newsroom("stories", "approve", id.slice(0, 1), "--alt", "1=A grey cat");
    expect(approved.output).toContain("/news/the-cat-of-pier-5");
    expect(await readText("/community")).toContain("/news/the-cat-of-pier-5");
    const page = await readText("/news/the-cat-of-pier-5");
    expect(page).toContain("<p>It began with a cat &lt;b&gt;bold&lt;/b&gt;.</p>");
    expect(page).toContain('alt="A grey cat"');
    expect(page).toContain("A story from one of our readers, Ann");
    // The story is not a sample, so search engines may index it.
    expect(page).toContain('"@type":"NewsArticle"');
    expect(page).toMatch(/<meta name="robots" content="index, follow/);
    expect(page).not.toContain("This is a sample story.");
    expect(page).not.toContain("ann@example.com");
    const imagePath = /\/pictures\/[\w-]+\.webp/.exec(page)?.[0] ?? "";
    const imageResponse = await fetch(server.url + imagePath);
    expect(imageResponse.headers.get("content-type")).toBe("image/webp");
    expect(Buffer.from(await imageResponse.arrayBuffer()).equals(storedImage)).toBe(true);
    const conditionalOptions = {
      headers: { "if-none-match": imageResponse.headers.get("etag") ?? "" },
    };
    expect((await fetch(server.url + imagePath, conditionalOptions)).status).toBe(304);

    expect(await newsroom("stories", "reject", "the-cat-of-pier-5")).toMatchObject({ code: 0 });
    expect(await readStatus("/news/the-cat-of-pier-5")).toBe(410);
    expect(await readStatus(imagePath)).toBe(404);
    expect(await readText("/community")).not.toContain("The Cat of Pier 5");
    const notAFolder = await newsroom("stories", "show", id.slice(0, 8), "--to", file);
    expect(notAFolder.output).toContain(
      `story-${id.slice(0, 8)}: a part of the path is a file, not a folder.`,
    );
    expect(notAFolder.code).toBe(1);
    expect((await newsroom("stories", "reject", "nothing")).code).toBe(1);
    expect((await newsroom("stories", "dance")).code).toBe(2);
  });

  it("is rejected together with others, or not at all if one of them is not found", async () => {
    const titles = ["First of three", "Second of three", "Third of three"];
    for (const [index, title] of titles.entries())
      expect(
        (await sendStory([], { title, token: extraTokens[index] ?? "" }, "192.0.2.4")).status,
      ).toBe(200);
    const listWaiting = async () => {
      const stories = JSON.parse((await newsroom("stories", "list", "--json")).output);
      return stories.map(({ id }: { id: string }) => id);
    };
    const ids = await listWaiting();
    expect(ids).toHaveLength(3);
    const [firstId, secondId, thirdId] = ids;
    const refused = await newsroom("stories", "reject", firstId, "0000-none", thirdId);
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringMatching(/"0000-none".*\nNothing was rejected/),
    });
    expect(await newsroom("stories", "approve", firstId, secondId)).toMatchObject({ code: 2 });
    expect(await newsroom("stories", "show", firstId, secondId)).toMatchObject({ code: 2 });
    expect(await listWaiting()).toEqual(ids);
    const { code, output } = await newsroom(
      "stories",
      "reject",
      firstId,
      secondId.slice(0, 8),
      thirdId,
      firstId,
    );
    expect(code).toBe(0);
    expect(output.split("\n")).toEqual(titles.map((title) => `Rejected "${title}".`));
    expect(await listWaiting()).toEqual([]);
  });

  it("with a damaged photo or a photo that needs too much memory is refused", async () => {
    const hugeImage = await sharp({
      create: { width: 9_000, height: 6_000, channels: 3, background: "#fff" },
    })
      .png()
      .toBuffer();
    const response = await sendStory(
      [
        { name: "bomb.png", bytes: hugeImage },
        { name: "half.jpg", bytes: (await createPhoto()).subarray(0, 900) },
      ],
      {},
      "192.0.2.2",
    );
    const page = await response.text();
    expect(response.status).toBe(422);
    expect(page).toContain("more than 50 million pixels");
    expect(page).toMatch(/id="picture2-error"[^>]*>We could not open this photo/);
    expect((await newsroom("stories", "list")).output).toBe("No stories are waiting.");
  });
});

describe("a reader's message", () => {
  it("is shown and marked as done by the first characters of its id", async () => {
    const fields = {
      category: "tip",
      name: "Bo",
      email: "bo@example.com",
      message: "Dark\u001b[2J pier.",
      website: "",
    };
    const send = async (token: string) =>
      fetch(`${server.url}/contact/form`, {
        method: "POST",
        headers: { "x-forwarded-for": "192.0.2.3" },
        body: new URLSearchParams({ ...fields, token }),
      });
    expect((await send(token)).status).toBe(200);
    const [{ id, message }] = JSON.parse((await newsroom("messages", "list", "--json")).output);
    expect(message).toBe("Dark[2J pier.");
    expect((await newsroom("messages", "list")).output).toMatch(
      /^\w{8} {2}.*tip +Bo +Dark\[2J pier\.$/m,
    );
    expect((await newsroom("messages", "show", id.slice(0, 6))).output).toContain(
      "Bo, bo@example.com",
    );
    expect((await newsroom("messages", "show", "0000%")).code).toBe(1);
    expect((await newsroom("messages", "show")).code).toBe(2);
    expect((await newsroom("messages", "done", id.slice(0, 8))).output).toBe(
      `Marked ${id.slice(0, 8)} as done.`,
    );
    expect((await newsroom("messages", "list")).output).toBe("No messages are waiting.");
    expect((await newsroom("messages", "list", "--all")).output).toContain("done");
  });
});

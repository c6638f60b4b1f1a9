import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataFolder } from "../support/data-folder.ts";
import { runInServer } from "../support/newsroom.ts";
import { type RunningServer, startServer } from "../support/server.ts";

let folder: Awaited<ReturnType<typeof dataFolder>>;
let server: RunningServer;
let token: string;
let moreTokens: string[];
beforeAll(async () => {
  folder = await dataFolder();
  server = await startServer({ DATA_DIR: folder.path, TRUST_PROXY: "1" });
  token = await freshToken("/community/submit");
  // A form is taken two seconds after its token was made; the first story waits for that.
  moreTokens = await Promise.all(Array.from({ length: 3 }, () => freshToken("/community/submit")));
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const textOf = async (path: string) => (await fetch(server.url + path)).text();
const statusOf = async (path: string) => (await fetch(server.url + path)).status;
const freshToken = async (path: string) =>
  /name="token" value="([^"]+)"/.exec(await textOf(path))?.[1] ?? "";

const newsroom = (...args: string[]) => runInServer(folder.path, args);

type File = { name: string; bytes: Uint8Array };

async function sendStory(
  files: File[] = [],
  change: Record<string, string> = {},
  address = "192.0.2.1",
) {
  const form = new FormData();
  const typed = {
    title: "The Cat of Pier 5",
    name: "Ann\u001b[31m",
    email: "ann@example.com",
    consent: "on",
  };
  const story = "It began with a cat <b>bold</b>.\r\n\r\nSecond \u001b]0;owned\u0007paragraph.";
  for (const [name, value] of Object.entries({
    ...typed,
    story,
    token,
    alt1: "A cat on a rope",
    ...change,
  }))
    form.set(name, value);
  for (const [index, { name, bytes }] of files.entries())
    form.set(`picture${index + 1}`, new Blob([new Uint8Array(bytes)]), name);
  return fetch(`${server.url}/community/submit`, {
    method: "POST",
    headers: { "x-forwarded-for": address },
    body: form,
  });
}

/** A picture as a phone takes it: lying on its side, and telling where it was taken. */
const photo = () =>
  sharp({ create: { width: 2_400, height: 1_200, channels: 3, background: "#2f6f7e" } })
    .withExif({
      IFD0: { Make: "Sample Phone" },
      IFD3: { GPSLatitude: "39/1 17/1 0/1", GPSLatitudeRef: "N" },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

describe("a reader's story", () => {
  it("with files that are no good pictures comes back with its words, and a reason beside each file", async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    );
    const answer = await sendStory([
      { name: "innocent.jpg", bytes: svg },
      { name: "large.jpg", bytes: Buffer.concat([await photo(), Buffer.alloc(8 * 1024 * 1024)]) },
      { name: "empty.jpg", bytes: Buffer.alloc(0) },
    ]);
    const page = await answer.text();
    expect(answer.status).toBe(422);
    expect(page).toContain("3 fields need another look.");
    expect(page).toMatch(/id="picture1-error"[^>]*>We cannot read this file/);
    expect(page).toMatch(/id="picture2-error"[^>]*>This picture is larger than 8 MB/);
    expect(page).toMatch(/id="picture3-error"[^>]*>This file is empty/);
    expect(page).toContain('value="The Cat of Pier 5"');
    expect(page).toContain('value="A cat on a rope"');
    expect(page).toContain("please choose them again");

    const far = await sendStory(
      [1, 2, 3].map((n) => ({ name: `${n}.jpg`, bytes: Buffer.alloc(9_000_000) })),
    );
    const farPage = await far.text();
    expect(far.status).toBe(422);
    expect(farPage).toContain("The pictures are too large.");
    expect(farPage).toContain('value="The Cat of Pier 5"');
  });

  it("waits with its pictures, and is a page from its approval to its rejection", async () => {
    // Nobody is taken for a person within the first two seconds.
    const send = async () => (await sendStory([{ name: "cat.jpg", bytes: await photo() }])).status;
    await expect.poll(send, { timeout: 10_000, interval: 500 }).toBe(200);
    expect(await send()).toBe(200);
    expect(await textOf("/community")).not.toContain("The Cat of Pier 5");

    const [{ id, pictures }, ...others] = JSON.parse(
      (await newsroom("stories", "list", "--json")).output,
    );
    expect(others).toEqual([]);
    expect(pictures).toBe(1);
    const shown = await newsroom("stories", "show", id.slice(0, 8), "--to", folder.path);
    expect(shown.output).toContain("from:   Ann[31m, ann@example.com");
    expect(shown.output).not.toContain("\u001b");
    const file = join(folder.path, `story-${id.slice(0, 8)}`, "picture-1.webp");
    const stored = await readFile(file);
    // Upright, made smaller, and silent about phone and place.
    expect(await sharp(stored).metadata()).toMatchObject({
      format: "webp",
      width: 1_000,
      height: 2_000,
    });
    expect((await sharp(stored).metadata()).exif).toBeUndefined();
    expect(stored.length).toBeLessThan(1024 * 1024);

    for (const [options, says] of [
      ["--pictures 2", "The story has 1 picture. Choose with --pictures 1,2 or --pictures none."],
      ["--titel x", '"stories approve" has no option "--titel". Did you mean "--title"?'],
      ["--alt 1", '"--alt 1" does not say what the picture shows.'],
      ["--alt 1=", '"--alt 1=" does not say what the picture shows.'],
      ["--alt 2=Cat", 'The story has 1 picture. "--alt 2=Cat" describes none of them.'],
      ["--alt 1=Cat --alt 1=Dog", "Picture 1 has two descriptions."],
      ["--pictures none --alt 1=Cat", "Picture 1 has a description but is not among --pictures."],
      ["--text /no/such.txt", "/no/such.txt cannot be read: there is no such file."],
      ["--text /", "/ cannot be read: it is a folder."],
    ] as const)
      expect(
        await newsroom("stories", "approve", id, ...options.split(" ")),
        options,
      ).toMatchObject({
        code: 2,
        output: expect.stringContaining(says),
      });
    // One letter is enough while there is only one story.
    const approved = await newsroom("stories", "approve", id.slice(0, 1), "--alt", "1=A grey cat");
    expect(approved.output).toContain("/news/the-cat-of-pier-5");
    expect(await textOf("/community")).toContain("/news/the-cat-of-pier-5");
    const page = await textOf("/news/the-cat-of-pier-5");
    expect(page).toContain("<p>It began with a cat &lt;b&gt;bold&lt;/b&gt;.</p>");
    expect(page).toContain('alt="A grey cat"');
    expect(page).toContain("A story that a reader sent us: Ann");
    // It is real, so search engines may have it.
    expect(page).toContain('"@type":"NewsArticle"');
    expect(page).toMatch(/<meta name="robots" content="index, follow/);
    expect(page).not.toContain("This is a sample story.");
    expect(page).not.toContain("ann@example.com");
    const picture = /\/pictures\/[\w-]+\.webp/.exec(page)?.[0] ?? "";
    const served = await fetch(server.url + picture);
    expect(served.headers.get("content-type")).toBe("image/webp");
    expect(Buffer.from(await served.arrayBuffer()).equals(stored)).toBe(true);
    const known = { headers: { "if-none-match": served.headers.get("etag") ?? "" } };
    expect((await fetch(server.url + picture, known)).status).toBe(304);

    expect(await newsroom("stories", "reject", "the-cat-of-pier-5")).toMatchObject({ code: 0 });
    expect(await statusOf("/news/the-cat-of-pier-5")).toBe(404);
    expect(await statusOf(picture)).toBe(404);
    expect(await textOf("/community")).not.toContain("The Cat of Pier 5");
    const nowhere = await newsroom("stories", "show", id.slice(0, 8), "--to", file);
    expect(nowhere.output).toContain(
      `story-${id.slice(0, 8)}: a part of the path is a file, not a folder.`,
    );
    expect(nowhere.code).toBe(1);
    expect((await newsroom("stories", "reject", "nothing")).code).toBe(1);
    expect((await newsroom("stories", "dance")).code).toBe(2);
  });

  it("is rejected together with others, or none of them is", async () => {
    const titles = ["First of three", "Second of three", "Third of three"];
    for (const [index, title] of titles.entries())
      expect(
        (await sendStory([], { title, token: moreTokens[index] ?? "" }, "192.0.2.4")).status,
      ).toBe(200);
    const waiting = async () => {
      const stories = JSON.parse((await newsroom("stories", "list", "--json")).output);
      return stories.map(({ id }: { id: string }) => id);
    };
    const ids = await waiting();
    expect(ids).toHaveLength(3);
    const [first, second, third] = ids;
    const wrong = await newsroom("stories", "reject", first, "0000-none", third);
    expect(wrong).toMatchObject({
      code: 1,
      output: expect.stringMatching(/"0000-none".*\nNothing was rejected/),
    });
    expect(await newsroom("stories", "approve", first, second)).toMatchObject({ code: 2 });
    expect(await newsroom("stories", "show", first, second)).toMatchObject({ code: 2 });
    expect(await waiting()).toEqual(ids);
    const { code, output } = await newsroom(
      "stories",
      "reject",
      first,
      second.slice(0, 8),
      third,
      first,
    );
    expect(code).toBe(0);
    expect(output.split("\n")).toEqual(titles.map((title) => `"${title}" is not on the site.`));
    expect(await waiting()).toEqual([]);
  });

  it("with a picture that cannot be opened, or that would fill our memory, is not taken", async () => {
    const bomb = await sharp({
      create: { width: 9_000, height: 6_000, channels: 3, background: "#fff" },
    })
      .png()
      .toBuffer();
    const answer = await sendStory(
      [
        { name: "bomb.png", bytes: bomb },
        { name: "half.jpg", bytes: (await photo()).subarray(0, 900) },
      ],
      {},
      "192.0.2.2",
    );
    const page = await answer.text();
    expect(answer.status).toBe(422);
    expect(page).toContain("more than 50 million pixels");
    expect(page).toMatch(/id="picture2-error"[^>]*>We could not open this picture/);
    expect((await newsroom("stories", "list")).output).toBe("No story is waiting.");
  });
});

describe("a reader's message", () => {
  it("is read, and done with, by the first letters of its id", async () => {
    const words = {
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
        body: new URLSearchParams({ ...words, token }),
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
      `${id.slice(0, 8)} is done.`,
    );
    expect((await newsroom("messages", "list")).output).toBe("No message is waiting.");
    expect((await newsroom("messages", "list", "--all")).output).toContain("done");
  });
});

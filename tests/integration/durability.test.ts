import { setTimeout as pause } from "node:timers/promises";
import sharp from "sharp";
import { expect, it } from "vitest";
import { contactMessages } from "../../app/features/contact/schema.server.ts";
import { mails } from "../../app/features/mail/schema.server.ts";
import { subscribers } from "../../app/features/newsletter/schema.server.ts";
import { storyImages, storySubmissions } from "../../app/features/stories/readers/schema.server.ts";
import { median } from "../../bench/support/statistics.ts";
import { openDatabase } from "../../db/client.ts";
import { dataFolder } from "../support/data-folder.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { startSmtpServer } from "../support/smtp-server.ts";

const rounds = 2;

/**
 * Signs readers up, several at a time, until the server is gone; gives the addresses it
 * acknowledged.
 */
async function signUpUntilKilled(
  server: RunningServer,
  round: number,
  mailsTaken: () => number,
): Promise<string[]> {
  const acknowledged: string[] = [];
  const reader = async (lane: number) => {
    for (let turn = 0; ; turn += 1) {
      const email = `r${round}-l${lane}-t${turn}@example.com`;
      const answer = await fetch(`${server.url}/newsletter`, {
        method: "POST",
        // Many readers, not one who floods us.
        headers: { "x-forwarded-for": `10.${round}.${lane}.${turn % 256}` },
        body: new URLSearchParams({ email }),
      }).catch(() => null);
      if (answer?.status !== 200) return;
      acknowledged.push(email);
      // Killed from within the stream of requests, while mails go out, at a point that differs from
      // round to round.
      if (acknowledged.length >= 5 + round * 7 && mailsTaken() > round * 3)
        server.process.kill("SIGKILL");
    }
  };
  await Promise.all([0, 1, 2, 3].map(reader));
  return acknowledged;
}

it("an address that was acknowledged survives kill -9, again and again, and is asked once at most", {
  timeout: 120_000,
}, async () => {
  const { path: dataDir, remove } = await dataFolder();
  const smtp = await startSmtpServer();
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServer({ DATA_DIR: dataDir, TRUST_PROXY: "1", SMTP_URL: smtp.url });
    acknowledged.push(...(await signUpUntilKilled(server, round, () => smtp.accepted.length)));
  }
  const database = await openDatabase({ dataDir, onError: console.error });
  const stored = new Set((await database.db.select().from(subscribers)).map(({ email }) => email));
  const written = await database.db.select().from(mails);
  await database.close();
  await smtp.close();
  await remove();
  expect(acknowledged.length).toBeGreaterThan(rounds * 5);
  expect(acknowledged.filter((email) => !stored.has(email))).toEqual([]);
  // Whatever was promised to be sent is written down, and nothing has gone out twice or is about
  // to.
  const asked = smtp.accepted.map(({ to }) => to);
  expect(asked.length).toBeGreaterThan(0);
  expect(new Set(asked).size).toBe(asked.length);
  expect(
    acknowledged.filter((email) => !written.some(({ recipient }) => recipient === email)),
  ).toEqual([]);
  const stillToGo = written
    .filter(({ state }) => state === "waiting")
    .map(({ recipient }) => recipient);
  expect(stillToGo.filter((email) => asked.includes(email))).toEqual([]);
});

/** A message or a story with a picture, as a browser sends it. */
function formOf(
  index: number,
  token: string,
  picture: Uint8Array,
): { path: string; body: FormData; words: string } {
  const words = `words ${index}`;
  const isStory = index % 2 === 1;
  const fields = isStory
    ? { title: words, story: "Once.", consent: "on", alt1: "A pier" }
    : { category: "tip", message: words };
  const body = new FormData();
  for (const [name, value] of Object.entries({
    ...fields,
    name: "",
    email: "",
    website: "",
    token,
  }))
    body.set(name, value);
  if (isStory) body.set("picture1", new Blob([new Uint8Array(picture)]), "pier.png");
  return { path: isStory ? "/community/submit" : "/contact/form", body, words };
}

/**
 * What programs send that never looked at the page, made something up, or filled in all they found.
 */
async function sendLikeBots(
  server: RunningServer,
  token: string,
  count: number,
): Promise<number[]> {
  const disguises: Record<string, string>[] = [
    { token: "" },
    { token: "abc.def.ghi" },
    { token, website: "https://x.example" },
  ];
  const times: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const body = new URLSearchParams({ category: "tip", message: "Buy.", ...disguises[turn % 3] });
    const began = performance.now();
    const headers = { "x-forwarded-for": `10.9.0.${turn % 30}` };
    const answer = await fetch(`${server.url}/contact/form`, { method: "POST", headers, body });
    expect(answer.status).toBe(422);
    times.push(performance.now() - began);
  }
  return times;
}

async function readMeanwhile(server: RunningServer, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const began = performance.now();
    expect((await fetch(`${server.url}/about`)).status).toBe(200);
    times.push(performance.now() - began);
  }
  return times;
}

it("bots leave nothing; what was thanked for survives kill -9, whole and with its one mail to the newsroom", async () => {
  const { path: dataDir, remove } = await dataFolder();
  const server = await startServer({ DATA_DIR: dataDir, TRUST_PROXY: "1" });
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: "#fff" } })
    .png()
    .toBuffer();
  const tokens = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const page = await (await fetch(`${server.url}/contact/form`)).text();
      return /name="token" value="([^"]+)"/.exec(page)?.[1] ?? "";
    }),
  );
  // A form that comes back within two seconds is taken for a program's. Time for the real ones.
  const ripe = pause(2_100);
  let isOver = false;
  const reading = readMeanwhile(server, () => isOver);
  const bots = await sendLikeBots(server, tokens[0] ?? "", 60);
  isOver = true;
  // A reader waits for the form that is being answered, and for no queue of them.
  expect(median(await reading)).toBeLessThan(3 * median(bots));
  await ripe;
  const thanked: string[] = [];
  await Promise.all(
    tokens.map(async (token, index) => {
      const { path, body, words } = formOf(index, token, picture);
      const headers = { "x-forwarded-for": `10.8.0.${index}` };
      const answer = await fetch(server.url + path, { method: "POST", headers, body }).catch(
        () => null,
      );
      if (answer?.status === 200) thanked.push(words);
      if (thanked.length === 8) server.process.kill("SIGKILL");
    }),
  );
  const database = await openDatabase({ dataDir, onError: console.error });
  const messages = await database.db.select().from(contactMessages);
  const stories = await database.db.select().from(storySubmissions);
  const pictures = await database.db.select({ story: storyImages.story }).from(storyImages);
  const written = await database.db.select({ key: mails.key }).from(mails);
  await database.close();
  await remove();
  expect(thanked.length).toBeGreaterThanOrEqual(8);
  const stored = [...messages.map(({ message }) => message), ...stories.map(({ title }) => title)];
  expect(stored).toEqual(expect.arrayContaining(thanked));
  expect(stored.filter((words) => !words.startsWith("words "))).toEqual([]);
  expect(pictures.map(({ story }) => story).toSorted()).toEqual(
    stories.map(({ id }) => id).toSorted(),
  );
  expect(written.map(({ key }) => key).toSorted()).toEqual(
    [
      ...messages.map(({ id }) => `contact:${id}`),
      ...stories.map(({ id }) => `story:${id}`),
    ].toSorted(),
  );
});

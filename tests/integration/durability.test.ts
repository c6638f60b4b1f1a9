import { setTimeout as pause } from "node:timers/promises";
import sharp from "sharp";
import { expect, it } from "vitest";
import { contactMessages } from "../../app/features/contact/schema.server.ts";
import { mails } from "../../app/features/mail/schema.server.ts";
import { subscribers } from "../../app/features/newsletter/schema.server.ts";
import { storyImages, storySubmissions } from "../../app/features/stories/readers/schema.server.ts";
import { median } from "../../bench/support/statistics.ts";
import { openDatabase } from "../../db/client.ts";
import { createDataFolder } from "../support/data-folder.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { startSmtpServer } from "../support/smtp-server.ts";

const rounds = 2;

/**
 * Signs readers up, several at a time, until the server is killed. Returns the email addresses that
 * the server acknowledged.
 */
async function signUpUntilKilled(
  server: RunningServer,
  round: number,
  countSentMails: () => number,
): Promise<string[]> {
  const acknowledged: string[] = [];
  const signUpReaders = async (client: number) => {
    for (let turn = 0; ; turn += 1) {
      const email = `r${round}-c${client}-t${turn}@example.com`;
      const response = await fetch(`${server.url}/newsletter`, {
        method: "POST",
        // Each request comes from a different visitor, so that no rate limit applies.
        headers: { "x-forwarded-for": `10.${round}.${client}.${turn % 256}` },
        body: new URLSearchParams({ email }),
      }).catch(() => null);
      if (response?.status !== 200) return;
      acknowledged.push(email);
      // Kills the server between requests while it sends emails, at a different point in each
      // round.
      if (acknowledged.length >= 5 + round * 7 && countSentMails() > round * 3)
        server.process.kill("SIGKILL");
    }
  };
  await Promise.all([0, 1, 2, 3].map(signUpReaders));
  return acknowledged;
}

it("an acknowledged sign-up survives kill -9, and gets at most one confirmation email", {
  timeout: 120_000,
}, async () => {
  const { path: dataDir, remove } = await createDataFolder();
  const smtp = await startSmtpServer();
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServer({ DATA_DIR: dataDir, TRUST_PROXY: "1", SMTP_URL: smtp.url });
    acknowledged.push(...(await signUpUntilKilled(server, round, () => smtp.accepted.length)));
  }
  const database = await openDatabase({ dataDir, onError: console.error });
  const storedEmails = new Set(
    (await database.db.select().from(subscribers)).map(({ email }) => email),
  );
  const storedMails = await database.db.select().from(mails);
  await database.close();
  await smtp.close();
  await remove();
  expect(acknowledged.length).toBeGreaterThan(rounds * 5);
  expect(acknowledged.filter((email) => !storedEmails.has(email))).toEqual([]);
  // Every acknowledged sign-up has an email in the database, and no email was or will be sent
  // twice.
  const recipients = smtp.accepted.map(({ to }) => to);
  expect(recipients.length).toBeGreaterThan(0);
  expect(new Set(recipients).size).toBe(recipients.length);
  expect(
    acknowledged.filter((email) => !storedMails.some(({ recipient }) => recipient === email)),
  ).toEqual([]);
  const waitingRecipients = storedMails
    .filter(({ state }) => state === "waiting")
    .map(({ recipient }) => recipient);
  expect(waitingRecipients.filter((email) => recipients.includes(email))).toEqual([]);
});

/** Returns a message, or a story with an image, as a browser sends it. */
function makeForm(
  index: number,
  token: string,
  image: Uint8Array,
): { path: string; body: FormData; text: string } {
  const text = `text ${index}`;
  const isStory = index % 2 === 1;
  const fields = isStory
    ? { title: text, story: "Once.", consent: "on", alt1: "A pier" }
    : { category: "tip", message: text };
  const body = new FormData();
  for (const [name, value] of Object.entries({
    ...fields,
    name: "",
    email: "",
    website: "",
    token,
  }))
    body.set(name, value);
  if (isStory) body.set("picture1", new Blob([new Uint8Array(image)]), "pier.png");
  return { path: isStory ? "/community/submit" : "/contact/form", body, text };
}

/**
 * Sends forms like bots that never loaded the page, made up a token, or filled in every field.
 */
async function sendLikeBots(
  server: RunningServer,
  token: string,
  count: number,
): Promise<number[]> {
  const mistakes: Record<string, string>[] = [
    { token: "" },
    { token: "abc.def.ghi" },
    { token, website: "https://x.example" },
  ];
  const times: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const body = new URLSearchParams({ category: "tip", message: "Buy.", ...mistakes[turn % 3] });
    const began = performance.now();
    const headers = { "x-forwarded-for": `10.9.0.${turn % 30}` };
    const response = await fetch(`${server.url}/contact/form`, { method: "POST", headers, body });
    expect(response.status).toBe(422);
    times.push(performance.now() - began);
  }
  return times;
}

async function measureReaders(server: RunningServer, isDone: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isDone()) {
    const began = performance.now();
    expect((await fetch(`${server.url}/about`)).status).toBe(200);
    times.push(performance.now() - began);
  }
  return times;
}

it("nothing from bots is stored, and acknowledged forms survive kill -9, complete and with one email each to the newsroom", async () => {
  const { path: dataDir, remove } = await createDataFolder();
  const server = await startServer({ DATA_DIR: dataDir, TRUST_PROXY: "1" });
  const image = await sharp({ create: { width: 9, height: 9, channels: 3, background: "#fff" } })
    .png()
    .toBuffer();
  const tokens = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const page = await (await fetch(`${server.url}/contact/form`)).text();
      return /name="token" value="([^"]+)"/.exec(page)?.[1] ?? "";
    }),
  );
  // A form that is sent within two seconds counts as sent by a bot, so the readers' forms wait.
  const tokensOldEnough = pause(2_100);
  let isDone = false;
  const readerTimes = measureReaders(server, () => isDone);
  const botTimes = await sendLikeBots(server, tokens[0] ?? "", 60);
  isDone = true;
  // A reader waits at most for the form that is being processed, not for a queue of forms.
  expect(median(await readerTimes)).toBeLessThan(3 * median(botTimes));
  await tokensOldEnough;
  const acknowledged: string[] = [];
  await Promise.all(
    tokens.map(async (token, index) => {
      const { path, body, text } = makeForm(index, token, image);
      const headers = { "x-forwarded-for": `10.8.0.${index}` };
      const response = await fetch(server.url + path, { method: "POST", headers, body }).catch(
        () => null,
      );
      if (response?.status === 200) acknowledged.push(text);
      if (acknowledged.length === 8) server.process.kill("SIGKILL");
    }),
  );
  const database = await openDatabase({ dataDir, onError: console.error });
  const messages = await database.db.select().from(contactMessages);
  const stories = await database.db.select().from(storySubmissions);
  const images = await database.db.select({ story: storyImages.story }).from(storyImages);
  const storedMails = await database.db.select({ key: mails.key }).from(mails);
  await database.close();
  await remove();
  expect(acknowledged.length).toBeGreaterThanOrEqual(8);
  const storedTexts = [
    ...messages.map(({ message }) => message),
    ...stories.map(({ title }) => title),
  ];
  expect(storedTexts).toEqual(expect.arrayContaining(acknowledged));
  expect(storedTexts.filter((text) => !text.startsWith("text "))).toEqual([]);
  expect(images.map(({ story }) => story).toSorted()).toEqual(
    stories.map(({ id }) => id).toSorted(),
  );
  expect(storedMails.map(({ key }) => key).toSorted()).toEqual(
    [
      ...messages.map(({ id }) => `contact:${id}`),
      ...stories.map(({ id }) => `story:${id}`),
    ].toSorted(),
  );
});

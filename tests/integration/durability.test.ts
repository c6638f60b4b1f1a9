import { join } from "node:path";
import sharp from "sharp";
import { expect, it, onTestFinished } from "vitest";
import { contactMessages } from "../../app/features/contact/schema.server.ts";
import { saveDelayMs } from "../../app/features/desk/write/editor/autosave.ts";
import { mails } from "../../app/features/mail/schema.server.ts";
import { subscribers } from "../../app/features/newsletter/schema.server.ts";
import { storyImages, storySubmissions } from "../../app/features/stories/schema.server.ts";
import { openDatabase } from "../../db/client.ts";
import { startCity } from "../support/city.ts";
import { createDataFolder } from "../support/data-folder.ts";
import { runInServer } from "../support/newsroom.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { startSmtpServer } from "../support/smtp-server.ts";

/**
 * Signs readers up, several at a time, until the server is killed. Calls `onAcknowledged` with each
 * email address that the server acknowledged.
 */
async function signUpUntilKilled(
  server: RunningServer,
  round: number,
  onAcknowledged: (email: string) => void,
): Promise<void> {
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
      onAcknowledged(email);
    }
  };
  await Promise.all([0, 1, 2, 3].map(signUpReaders));
}

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
  if (isStory) body.set("images", new Blob([new Uint8Array(image)]), "pier.png");
  return { path: isStory ? "/community/submit" : "/contact/form", body, text };
}

async function sendLikeBot(server: RunningServer, mistake: Record<string, string>): Promise<void> {
  const body = new URLSearchParams({ category: "tip", message: "Buy.", ...mistake });
  const headers = { "x-forwarded-for": "10.9.0.1" };
  const response = await fetch(`${server.url}/contact/form`, { method: "POST", headers, body });
  expect(response.status, JSON.stringify(mistake)).toBe(422);
  await response.text();
}

it("acknowledged sign-ups and forms survive kill -9, complete and with at most one email each, and nothing from bots is stored", async () => {
  const { path: dataDir, remove } = await createDataFolder();
  const smtp = await startSmtpServer();
  onTestFinished(async () => {
    await smtp.close();
    await remove();
  });
  const start = async (env: Record<string, string> = {}) => {
    const server = await startServer({
      DATA_DIR: dataDir,
      TRUST_PROXY: "1",
      SMTP_URL: smtp.url,
      ...env,
    });
    onTestFinished(() => server.stop("SIGKILL").then(() => {}));
    return server;
  };
  const acknowledgedEmails: string[] = [];

  // The first server is killed between sign-ups, while it sends emails.
  const first = await start();
  await signUpUntilKilled(first, 0, (email) => {
    acknowledgedEmails.push(email);
    if (acknowledgedEmails.length >= 5 && smtp.accepted.length > 0) first.process.kill("SIGKILL");
  });
  await first.stop("SIGKILL");

  const second = await start({ FAKE_NOW: new Date().toISOString() });
  const image = await sharp({ create: { width: 9, height: 9, channels: 3, background: "#fff" } })
    .png()
    .toBuffer();
  const loadedAt = new Date().toISOString();
  const tokens = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const page = await (await fetch(`${second.url}/contact/form`)).text();
      return /name="token" value="([^"]+)"/.exec(page)?.[1] ?? "";
    }),
  );
  const [token = ""] = tokens;
  // Bots send a form at once, never loaded its page, made up a token, or filled in every field.
  await second.setClock(loadedAt);
  await sendLikeBot(second, { token });
  await second.setClock(new Date(Date.now() + 10 * 60_000).toISOString());
  await sendLikeBot(second, { token: "" });
  await sendLikeBot(second, { token: "abc.def.ghi" });
  await sendLikeBot(second, { token, website: "https://x.example" });

  // The second server is killed while it stores forms.
  const acknowledgedTexts: string[] = [];
  const sendForms = tokens.map(async (formToken, index) => {
    const { path, body, text } = makeForm(index, formToken, image);
    const headers = { "x-forwarded-for": `10.8.0.${index}` };
    const response = await fetch(second.url + path, { method: "POST", headers, body }).catch(
      () => null,
    );
    if (response?.status === 200) acknowledgedTexts.push(text);
    if (acknowledgedTexts.length === 8) second.process.kill("SIGKILL");
  });
  const signUps = signUpUntilKilled(second, 1, (email) => acknowledgedEmails.push(email));
  await Promise.all([signUps, ...sendForms]);
  await second.stop("SIGKILL");

  const database = await openDatabase({ dataDir, onError: console.error });
  onTestFinished(database.close);
  const storedSubscribers = await database.db.select().from(subscribers);
  const messages = await database.db.select().from(contactMessages);
  const stories = await database.db.select().from(storySubmissions);
  const images = await database.db.select({ storyId: storyImages.storyId }).from(storyImages);
  const storedMails = await database.db.select().from(mails);

  const storedEmails = new Set(storedSubscribers.map(({ email }) => email));
  expect(acknowledgedEmails.length).toBeGreaterThanOrEqual(5);
  expect(acknowledgedEmails.filter((email) => !storedEmails.has(email))).toEqual([]);
  // Every acknowledged sign-up has an email in the database, and no email was or will be sent
  // twice.
  const recipients = smtp.accepted
    .map(({ to }) => to)
    .filter((recipient) => storedEmails.has(recipient));
  expect(recipients.length).toBeGreaterThan(0);
  expect(new Set(recipients).size).toBe(recipients.length);
  expect(
    acknowledgedEmails.filter((email) => !storedMails.some(({ recipient }) => recipient === email)),
  ).toEqual([]);
  const waitingRecipients = storedMails
    .filter(({ state }) => state === "waiting")
    .map(({ recipient }) => recipient);
  expect(waitingRecipients.filter((email) => recipients.includes(email))).toEqual([]);

  expect(acknowledgedTexts.length).toBeGreaterThanOrEqual(8);
  const storedTexts = [
    ...messages.map(({ message }) => message),
    ...stories.map(({ title }) => title),
  ];
  expect(storedTexts).toEqual(expect.arrayContaining(acknowledgedTexts));
  expect(storedTexts.filter((text) => !text.startsWith("text "))).toEqual([]);
  expect(images.map(({ storyId }) => storyId).toSorted()).toEqual(
    stories.map(({ id }) => id).toSorted(),
  );
  // The newsroom gets one email for each message and each story.
  const keys = storedMails.map(({ key }) => key).filter((key) => /^(message|story):/.test(key));
  expect(keys.toSorted()).toEqual(
    [
      ...messages.map(({ id }) => `message:${id}`),
      ...stories.map(({ id }) => `story:${id}`),
    ].toSorted(),
  );
});

it("what the editor's page has saved at the desk survives kill -9", async () => {
  const env = { TRUST_PROXY: "1" };
  const desk = "editors:\n  - { name: Ana Reyes, email: ana@example.com }\n";
  const city = await startCity({}, env, { "desk.yaml": desk });
  onTestFinished(() => city.close());
  const { output } = await runInServer(city.dataDir, ["desk", "link", "ana", "--json"]);
  const { pathname, search } = new URL(JSON.parse(output).link);
  const post = (server: RunningServer, path: string, form: object, cookie = "") =>
    fetch(server.url + path, {
      method: "POST",
      body: new URLSearchParams({ ...form }),
      headers: { Cookie: cookie },
      redirect: "manual",
    });
  const entered = await post(city.server, pathname + search, {});
  const cookie = entered.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  const begun = await post(city.server, "/desk/write", { kind: "post" }, cookie);
  const draft = begun.headers.get("Location") ?? "";

  // The page sends what is typed at most `saveDelayMs` later, and the next text after the response.
  expect(saveDelayMs).toBeLessThan(3_000);
  let saved = 0;
  for (let revision = 1; ; revision += 1) {
    const save = { title: `Text ${revision}`, authors: "", revision };
    const response = await post(city.server, `${draft}/save`, save, cookie).catch(() => null);
    if (response?.status !== 200) break;
    saved = revision;
    if (saved === 5) city.server.process.kill("SIGKILL");
  }
  await city.server.stop("SIGKILL");
  const sites = join(city.siteFolder, "..");
  const restarted = await startServer({ ...env, DATA_DIR: city.dataDir, SITES_DIR: sites });
  onTestFinished(() => restarted.stop().then(() => {}));
  const page = await fetch(restarted.url + draft, { headers: { Cookie: cookie } });
  const title = /name="title"[^>]*>Text (\d+)</.exec(await page.text())?.[1];
  expect(Number(title)).toBeGreaterThanOrEqual(saved);
});

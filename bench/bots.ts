// Measures whether 10,000 bots slow down readers, and which rows the bots leave in the database:
// `npm run bench:bots`.
import { setTimeout as pause } from "node:timers/promises";
import { contactMessages } from "../app/features/contact/schema.server.ts";
import { mails } from "../app/features/mail/schema.server.ts";
import { storySubmissions } from "../app/features/stories/readers/schema.server.ts";
import { openDatabase } from "../db/client.ts";
import { buildIfNeeded } from "../server/process/build.ts";
import { startServer, temporaryFolder } from "../tests/support/server.ts";
import { runLoad } from "./support/load.ts";
import { median, roundToThousandths, summarize } from "./support/statistics.ts";

const botCount = Number(process.argv[2] ?? 10_000);
const concurrentBots = 4;
const readerRequest = "GET /about HTTP/1.1\r\nAccept-Encoding: br";
const readerLoad = { clients: 4, seconds: 2 };

await buildIfNeeded(console.log);
const data = await temporaryFolder();
const server = await startServer(
  { DATA_DIR: data.path, TRUST_PROXY: "1" },
  "server/main.ts",
  "ignore",
);

const fetchToken = async () =>
  /name="token" value="([^"]+)"/.exec(
    await (await fetch(`${server.url}/contact/form`)).text(),
  )?.[1] ?? "";

async function sendForm(
  path: string,
  address: string,
  fields: Record<string, string>,
  file?: Blob,
): Promise<number> {
  const body = file ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  if (file && body instanceof FormData) body.set("picture1", file, "bot.jpg");
  const headers = { "x-forwarded-for": address };
  const response = await fetch(server.url + path, { method: "POST", headers, body });
  await response.arrayBuffer();
  return response.status;
}

const message = { category: "tip", name: "Bot", email: "bot@example.com", message: "Buy this." };
const story = { title: "Buy", story: "Buy this.", consent: "on" };
const junk = new Blob([Buffer.alloc(400_000, 7)]);

/**
 * Sends one form as one of several kinds of bot. The bots use a hundred IP addresses, so that no
 * limit per IP address stops them.
 */
async function runBot(turn: number): Promise<number> {
  const address = `198.51.100.${turn % 100}`;
  switch (turn % 5) {
    case 0:
      return sendForm("/contact/form", address, message);
    case 1:
      return sendForm("/contact/form", address, {
        ...message,
        token: "lk3j4h5.AAAAAAAAAAAAAAAA.forged",
      });
    case 2:
      return sendForm("/contact/form", address, {
        ...message,
        token: validToken,
        website: "https://bot.example",
      });
    case 3:
      return sendForm("/community/submit", address, { ...story, token: "" });
    default:
      return turn % 50 === 4
        ? sendForm("/community/submit", address, { ...story, token: validToken }, junk)
        : sendForm("/contact/form", address, { ...message, token: await fetchToken() });
  }
}

const validToken = await fetchToken();
const quietP99s: number[] = [];
const busyP99s: number[] = [];
const measure = async (into: number[]) =>
  into.push((await runLoad(server.url, readerRequest, readerLoad)).p99);
await measure([]);
for (let round = 0; round < 5; round += 1) await measure(quietP99s);

const statuses = new Map<number, number>();
let nextTurn = 0;
const began = performance.now();
const flood = Promise.all(
  Array.from({ length: concurrentBots }, async () => {
    while (nextTurn < botCount) {
      nextTurn += 1;
      const status = await runBot(nextTurn - 1);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }),
);
let isOver = false;
flood.then(() => {
  isOver = true;
});
while (!isOver) await measure(busyP99s);
await flood;
const seconds = (performance.now() - began) / 1_000;
console.log(
  `${botCount} bots in ${Math.round(seconds)} s; responses by status: ${JSON.stringify(Object.fromEntries(statuses))}`,
);
console.table({
  "p99 ms of a page, quiet": summarize(quietP99s),
  "p99 ms of a page, with bots": summarize(busyP99s),
});
console.log(`Ratio of the medians: ${roundToThousandths(median(busyP99s) / median(quietP99s))}`);

// The worst kind of bot: each loads the page, waits, and has its own IP address.
const patientBots = 400;
const tokens: string[] = [];
for (let turn = 0; turn < patientBots; turn += 1) tokens.push(await fetchToken());
await pause(2_100);
let accepted = 0;
for (const [turn, token] of tokens.entries())
  if ((await sendForm("/contact/form", `reader-${turn}`, { ...message, token })) === 200)
    accepted += 1;

const rowCounts = await countRows();
const slowBots = statuses.get(200) ?? 0;
console.log(
  `After the bots: ${rowCounts.messages - accepted - slowBots} messages, ${rowCounts.stories} stories.`,
);
if (slowBots > 0)
  console.log(
    `${slowBots} more took over two seconds because this machine was busy, so they passed as people.`,
  );
console.log(
  `Of ${patientBots} that passed as people: ${accepted} messages accepted, ${rowCounts.mails} emails written.`,
);
await data.remove();

async function countRows() {
  await server.stop();
  const { db, close } = await openDatabase({ dataDir: data.path, onError: console.error });
  const counts = {
    messages: await db.$count(contactMessages),
    stories: await db.$count(storySubmissions),
    mails: await db.$count(mails),
  };
  await close();
  return counts;
}

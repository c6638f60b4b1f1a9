// kill -9 while readers sign up and mails go out, again and again on one data folder: `npm run
// bench:kill -- [rounds]`, 200 unless said otherwise. Whatever was acknowledged has to be there,
// once, with one mail at most, and the server has to be ready again within five seconds. Prints
// what it found and fails if something was lost, doubled or late.
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { mails } from "../app/features/mail/schema.server.ts";
import { subscribers } from "../app/features/newsletter/schema.server.ts";
import { openDatabase } from "../db/client.ts";
import { buildIfNeeded } from "../server/process/build.ts";
import { type RunningServer, startServer, temporaryFolder } from "../tests/support/server.ts";
import { startSmtpServer } from "../tests/support/smtp-server.ts";
import { median } from "./support/statistics.ts";

const rounds = Number(process.argv[2] ?? 200);
const lanes = 4;
const readyWithinMs = 5_000;
const askAgainMs = 20;
/**
 * The moment of the kill differs from round to round: at most this long after the first
 * acknowledged write.
 */
const longestRoundMs = 500;

await buildIfNeeded(console.log);
const data = await temporaryFolder();
const smtp = await startSmtpServer();
const env = { DATA_DIR: data.path, TRUST_PROXY: "1", SMTP_URL: smtp.url };
const acknowledged: string[] = [];
const readyMs: number[] = [];
let visitors = 0;

/** One reader after the other, until the server is gone. */
async function signUp(
  server: RunningServer,
  round: number,
  lane: number,
  onAcknowledged: () => void,
): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    visitors += 1;
    const email = `r${round}-l${lane}-t${turn}@example.com`;
    const answer = await fetch(`${server.url}/newsletter`, {
      method: "POST",
      headers: {
        "x-forwarded-for": `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}`,
      },
      body: new URLSearchParams({ email }),
    }).catch(() => null);
    if (answer === null) return;
    if (answer.status !== 200) continue;
    acknowledged.push(email);
    onAcknowledged();
  }
}

async function isReady(server: RunningServer): Promise<boolean> {
  return fetch(`${server.url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

// The first start creates the tables, which is not what is measured here.
const first = await startServer(env, "server/main.ts", "ignore");
await first.stop();
for (let round = 0; round < rounds; round += 1) {
  const began = performance.now();
  const server = await startServer(env, "server/main.ts", "ignore");
  while (!(await isReady(server))) await pause(askAgainMs);
  readyMs.push(performance.now() - began);
  const firstWrite = Promise.withResolvers<void>();
  const writing = Array.from({ length: lanes }, (_, lane) =>
    signUp(server, round, lane, firstWrite.resolve),
  );
  await firstWrite.promise;
  await pause(Math.random() * longestRoundMs);
  const ended = once(server.process, "exit");
  server.process.kill("SIGKILL");
  await ended;
  await Promise.all(writing);
  if ((round + 1) % 10 === 0)
    console.log(
      `${round + 1} rounds, ${acknowledged.length} acknowledged, slowest start ${(Math.max(...readyMs) / 1_000).toFixed(1)} s`,
    );
}

const { db, close } = await openDatabase({ dataDir: data.path, onError: console.error });
const stored = (await db.select({ email: subscribers.email }).from(subscribers)).map(
  ({ email }) => email,
);
const written = (await db.select({ to: mails.recipient }).from(mails)).map(({ to }) => to);
await close();
await smtp.close();
await data.remove();
const sent = smtp.accepted.map(({ to }) => to);
const isStored = new Set(stored);
const lost = acknowledged.filter((email) => !isStored.has(email));
const isWritten = new Set(written);
const withoutMail = acknowledged.filter((email) => !isWritten.has(email));
const doubled = [stored, written, sent].map((all) => all.length - new Set(all).size);
const late = readyMs.filter((ms) => ms > readyWithinMs).length;
console.table({
  rounds,
  acknowledged: acknowledged.length,
  "mails that went out": sent.length,
  lost: lost.length,
  "without their mail": withoutMail.length,
  "addresses, mails, deliveries that are there twice": doubled.join(", "),
  "ready, median (s)": (median(readyMs) / 1_000).toFixed(1),
  "ready, slowest (s)": (Math.max(...readyMs) / 1_000).toFixed(1),
  [`ready later than ${readyWithinMs / 1_000} s`]: late,
});
const isGood =
  acknowledged.length > 0 &&
  lost.length + withoutMail.length + late === 0 &&
  doubled.every((count) => count === 0);
process.exitCode = isGood ? 0 : 1;

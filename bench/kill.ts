// Kills the server with kill -9 while readers subscribe and emails are sent, many times on one data
// folder: `npm run bench:kill -- [rounds]`, 200 rounds by default. Every acknowledged subscription
// has to be stored exactly once, with one email, and the server has to be ready again within five
// seconds.
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
const concurrentReaders = 4;
const readyTimeoutMs = 5_000;
const pollMs = 20;
/** The kill comes at a random moment, at most this long after the first acknowledged write. */
const maxKillDelayMs = 500;

await buildIfNeeded(console.log);
const data = await temporaryFolder();
const smtp = await startSmtpServer();
const env = { DATA_DIR: data.path, TRUST_PROXY: "1", SMTP_URL: smtp.url };
const acknowledged: string[] = [];
const readyMs: number[] = [];
let visitors = 0;

/** Subscribes one reader after another until the server is gone. */
async function subscribeReaders(
  server: RunningServer,
  round: number,
  client: number,
  onAcknowledged: () => void,
): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    visitors += 1;
    const email = `r${round}-c${client}-t${turn}@example.com`;
    const response = await fetch(`${server.url}/newsletter`, {
      method: "POST",
      headers: {
        "x-forwarded-for": `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}`,
      },
      body: new URLSearchParams({ email }),
    }).catch(() => null);
    if (response === null) return;
    if (response.status !== 200) continue;
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

// The first start creates the tables and is not measured.
const firstServer = await startServer(env, "server/main.ts", "ignore");
await firstServer.stop();
for (let round = 0; round < rounds; round += 1) {
  const began = performance.now();
  const server = await startServer(env, "server/main.ts", "ignore");
  while (!(await isReady(server))) await pause(pollMs);
  readyMs.push(performance.now() - began);
  const firstWrite = Promise.withResolvers<void>();
  const subscribing = Array.from({ length: concurrentReaders }, (_, client) =>
    subscribeReaders(server, round, client, firstWrite.resolve),
  );
  await firstWrite.promise;
  await pause(Math.random() * maxKillDelayMs);
  const ended = once(server.process, "exit");
  server.process.kill("SIGKILL");
  await ended;
  await Promise.all(subscribing);
  if ((round + 1) % 10 === 0)
    console.log(
      `${round + 1} rounds, ${acknowledged.length} acknowledged, slowest start ${(Math.max(...readyMs) / 1_000).toFixed(1)} s`,
    );
}

const { db, close } = await openDatabase({ dataDir: data.path, onError: console.error });
const storedEmails = (await db.select({ email: subscribers.email }).from(subscribers)).map(
  ({ email }) => email,
);
const mailRecipients = (await db.select({ to: mails.recipient }).from(mails)).map(({ to }) => to);
await close();
await smtp.close();
await data.remove();
const deliveredRecipients = smtp.accepted.map(({ to }) => to);
const storedEmailSet = new Set(storedEmails);
const lost = acknowledged.filter((email) => !storedEmailSet.has(email));
const mailRecipientSet = new Set(mailRecipients);
const withoutMail = acknowledged.filter((email) => !mailRecipientSet.has(email));
const duplicates = [storedEmails, mailRecipients, deliveredRecipients].map(
  (recipients) => recipients.length - new Set(recipients).size,
);
const lateStarts = readyMs.filter((ms) => ms > readyTimeoutMs).length;
console.table({
  rounds,
  acknowledged: acknowledged.length,
  "emails sent": deliveredRecipients.length,
  lost: lost.length,
  "without an email": withoutMail.length,
  "duplicate subscribers, emails, deliveries": duplicates.join(", "),
  "ready, median (s)": (median(readyMs) / 1_000).toFixed(1),
  "ready, slowest (s)": (Math.max(...readyMs) / 1_000).toFixed(1),
  [`ready later than ${readyTimeoutMs / 1_000} s`]: lateStarts,
});
const hasPassed =
  acknowledged.length > 0 &&
  lost.length + withoutMail.length + lateStarts === 0 &&
  duplicates.every((count) => count === 0);
process.exitCode = hasPassed ? 0 : 1;

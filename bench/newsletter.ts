// Sends a newsletter to ten thousand subscribers and kills the server with kill -9 in the middle:
// `npm run bench:newsletter -- [subscribers]`.
import { subscribers } from "../app/features/newsletter/schema.server.ts";
import { openDatabase } from "../db/client.ts";
import { runInServer } from "../tests/support/newsroom.ts";
import { startServer, temporaryFolder } from "../tests/support/server.ts";
import { startSmtpServer } from "../tests/support/smtp-server.ts";

const subscriberCount = Number(process.argv[2] ?? 10_000);
const folder = await temporaryFolder();
const smtp = await startSmtpServer();
const start = () =>
  startServer({ DATA_DIR: folder.path, SMTP_URL: smtp.url }, "server/main.ts", "ignore");

const newsroom = async (...args: string[]) =>
  (await runInServer(folder.path, args)).output.split("\n").at(-1);

const database = await openDatabase({ dataDir: folder.path, onError: console.error });
const now = new Date();
for (let firstNumber = 0; firstNumber < subscriberCount; firstNumber += 200) {
  const batch = Array.from(
    { length: Math.min(200, subscriberCount - firstNumber) },
    (_, index) => ({
      email: `r${firstNumber + index}@example.com`,
      state: "confirmed" as const,
      createdAt: now,
      confirmedAt: now,
    }),
  );
  await database.db.insert(subscribers).values(batch);
}
await database.close();

let server = await start();
let began = performance.now();
const interrupted = newsroom("newsletter", "send", "--yes");
while (smtp.accepted.length < subscriberCount * 0.4)
  await new Promise((resolve) => setTimeout(resolve, 20));
server.process.kill("SIGKILL");
await interrupted;
const formatRate = (count: number) =>
  `${Math.round((count / (performance.now() - began)) * 1_000)} emails per second`;
console.log(`killed after ${smtp.accepted.length} emails, ${formatRate(smtp.accepted.length)}`);

server = await start();
const [acceptedBefore, page] = [smtp.accepted.length, `${server.url}/newsletter`];
began = performance.now();
const sending = newsroom("newsletter", "send", "--yes", "--json");
const waits: number[] = [];
let isOver = false;
sending.finally(() => {
  isOver = true;
});
// Request a page that is rendered for each reader while emails are being sent.
while (!isOver) {
  const requestedAt = performance.now();
  await (await fetch(page)).text();
  waits.push(performance.now() - requestedAt);
  await new Promise((resolve) => setTimeout(resolve, 100));
}
console.log(
  `the rest: ${smtp.accepted.length - acceptedBefore} emails, ${formatRate(smtp.accepted.length - acceptedBefore)}`,
);
const medianWait = waits.sort((one, other) => one - other)[Math.floor(waits.length / 2)] ?? 0;
console.log(
  `a page in the meantime: median ${medianWait.toFixed(0)} ms, worst ${(waits.at(-1) ?? 0).toFixed(0)} ms`,
);
const reached = new Set(smtp.accepted.map(({ to }) => to)).size;
console.log(
  `${reached} of ${subscriberCount} subscribers got the newsletter, ${smtp.accepted.length - reached} of them twice`,
);
console.log(await sending);
await server.stop();
await smtp.close();
await folder.remove();

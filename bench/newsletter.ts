// A letter to ten thousand readers, with kill -9 in its middle: `npm run bench:newsletter`, or with
// another number of readers.
import { subscribers } from "../app/features/newsletter/schema.server.ts";
import { openDatabase } from "../db/client.ts";
import { runInServer } from "../tests/support/newsroom.ts";
import { startServer, temporaryFolder } from "../tests/support/server.ts";
import { startSmtpServer } from "../tests/support/smtp-server.ts";

const readers = Number(process.argv[2] ?? 10_000);
const folder = await temporaryFolder();
const smtp = await startSmtpServer();
const start = () =>
  startServer({ DATA_DIR: folder.path, SMTP_URL: smtp.url }, "server/main.ts", "ignore");

const newsroom = async (...args: string[]) =>
  (await runInServer(folder.path, args)).output.split("\n").at(-1);

const database = await openDatabase({ dataDir: folder.path, onError: console.error });
const at = new Date();
for (let first = 0; first < readers; first += 200) {
  const batch = Array.from({ length: Math.min(200, readers - first) }, (_, index) => ({
    email: `r${first + index}@example.com`,
    state: "confirmed" as const,
    createdAt: at,
    confirmedAt: at,
  }));
  await database.db.insert(subscribers).values(batch);
}
await database.close();

let server = await start();
let began = performance.now();
const cut = newsroom("digest", "send", "--yes");
while (smtp.accepted.length < readers * 0.4)
  await new Promise((resolve) => setTimeout(resolve, 20));
server.process.kill("SIGKILL");
await cut;
const rate = (count: number) =>
  `${Math.round((count / (performance.now() - began)) * 1_000)} mails a second`;
console.log(`killed after ${smtp.accepted.length} mails, ${rate(smtp.accepted.length)}`);

server = await start();
const [before, page] = [smtp.accepted.length, `${server.url}/newsletter`];
began = performance.now();
const sending = newsroom("digest", "send", "--yes", "--json");
const waits: number[] = [];
let isOver = false;
sending.finally(() => {
  isOver = true;
});
// A page that is made for each reader, asked for while mails go out.
while (!isOver) {
  const asked = performance.now();
  await (await fetch(page)).text();
  waits.push(performance.now() - asked);
  await new Promise((resolve) => setTimeout(resolve, 100));
}
console.log(
  `the rest: ${smtp.accepted.length - before} mails, ${rate(smtp.accepted.length - before)}`,
);
const median = waits.sort((one, other) => one - other)[Math.floor(waits.length / 2)] ?? 0;
console.log(
  `a page meanwhile: ${median.toFixed(0)} ms in the middle, ${(waits.at(-1) ?? 0).toFixed(0)} ms at worst`,
);
const reached = new Set(smtp.accepted.map(({ to }) => to)).size;
console.log(
  `${reached} of ${readers} readers reached, ${smtp.accepted.length - reached} of them twice`,
);
console.log(await sending);
await server.stop();
await smtp.close();
await folder.remove();

import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { contactMessages } from "../../app/features/contact/schema.server.ts";
import { mails } from "../../app/features/mail/schema.server.ts";
import { subscribers } from "../../app/features/newsletter/schema.server.ts";
import { openDatabase } from "../../db/client.ts";
import { dataFolder } from "../support/data-folder.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { startSmtpServer } from "../support/smtp-server.ts";

const rounds = 2;

/** Signs readers up, several at a time, until the server is gone; gives the addresses it acknowledged. */
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
        headers: { "x-forwarded-for": email },
        body: new URLSearchParams({ email }),
      }).catch(() => null);
      if (answer?.status !== 200) return;
      acknowledged.push(email);
      // Killed from within the stream of requests, while mails go out, at a point that differs from round to round.
      if (acknowledged.length >= 5 + round * 7 && mailsTaken() > round * 3) server.process.kill("SIGKILL");
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
    acknowledged.push(...(await signUpUntilKilled(server, round, () => smtp.taken.length)));
  }
  const database = await openDatabase({ dataDir, onError: console.error });
  const stored = new Set((await database.db.select().from(subscribers)).map(({ email }) => email));
  const written = await database.db.select().from(mails);
  await database.close();
  await smtp.close();
  await remove();
  expect(acknowledged.length).toBeGreaterThan(rounds * 5);
  expect(acknowledged.filter((email) => !stored.has(email))).toEqual([]);
  // Whatever was promised to be sent is written down, and nothing has gone out twice or is about to.
  const asked = smtp.taken.map(({ to }) => to);
  expect(asked.length).toBeGreaterThan(0);
  expect(new Set(asked).size).toBe(asked.length);
  expect(acknowledged.filter((email) => !written.some(({ recipient }) => recipient === email))).toEqual([]);
  const stillToGo = written.filter(({ state }) => state === "waiting").map(({ recipient }) => recipient);
  expect(stillToGo.filter((email) => asked.includes(email))).toEqual([]);
});

it("a message that was thanked for survives kill -9", async () => {
  const { path: dataDir, remove } = await dataFolder();
  const server = await startServer({ DATA_DIR: dataDir, TRUST_PROXY: "1" });
  const tokens = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const page = await (await fetch(`${server.url}/contact/form`)).text();
      return /name="token" value="([^"]+)"/.exec(page)?.[1] ?? "";
    }),
  );
  // A form that comes back within two seconds is taken for a program's.
  await pause(2_100);
  const thanked: string[] = [];
  await Promise.all(
    tokens.map(async (token, index) => {
      const fields = {
        token,
        category: "tip",
        name: "",
        email: "",
        message: `message ${index}`,
        website: "",
      };
      const answer = await fetch(`${server.url}/contact/form`, {
        method: "POST",
        headers: { "x-forwarded-for": `reader-${index}` },
        body: new URLSearchParams(fields),
      }).catch(() => null);
      if (answer?.status === 200) thanked.push(fields.message);
      if (thanked.length === 6) server.process.kill("SIGKILL");
    }),
  );
  const database = await openDatabase({ dataDir, onError: console.error });
  const stored = (await database.db.select().from(contactMessages)).map(({ message }) => message);
  await database.close();
  await remove();
  expect(thanked.length).toBeGreaterThanOrEqual(6);
  expect(stored).toEqual(expect.arrayContaining(thanked));
});

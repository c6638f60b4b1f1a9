import { randomBytes } from "node:crypto";
import { expect, inject, it, onTestFinished } from "vitest";
import { renderPost } from "../../app/features/blog/posts/html.server.ts";
import { imageResponse } from "../../app/features/blog/posts/images.server.ts";
import { blogImages } from "../../app/features/blog/schema.server.ts";
import {
  createUnsubscribeLink,
  readUnsubscribeToken,
} from "../../app/features/newsletter/subscribers/unsubscribe.server.ts";
import { createSafeFetch } from "../../app/lib/external/safe-fetch.server.ts";
import { createLog } from "../../app/lib/log.ts";
import { load } from "../../db/backup/dump.ts";
import { openDatabase } from "../../db/client.ts";
import { permanentSecrets } from "../../db/secrets.ts";
import { openSharedReads } from "../../db/shared-reads.ts";
import { createDatabase } from "../support/postgres.ts";
import { runInThisThread } from "../support/worker-pool.ts";

const origin = "https://www.city.example";
const imageUrl = "https://images.example/pier.png";
const post = { slug: "pier", blog: `![The pier](${imageUrl})`, isFile: true };
const log = createLog({ write() {} });
const clock = () => new Date();

it("a node that runs while a backup is restored signs images and unsubscribe links as the others do", async () => {
  const databaseUrl = await createDatabase(inject("postgresUrl"), inject("postgresTemplate"));
  const openNode = async () => {
    const database = await openDatabase({ dataDir: "", databaseUrl, onError: console.error });
    onTestFinished(() => database.close());
    return database;
  };
  const running = await openNode();
  const sharedReads = openSharedReads(running.db, { now: () => performance.now(), onError() {} });
  const stopListening = await running.listen({
    onPurge: sharedReads.purge,
    onLost() {},
    onRestored() {},
  });
  onTestFinished(stopListening);
  const sign = async () => ({
    html: await renderPost({ db: running.db, log, runInWorker: runInThisThread }, post, origin),
    link: await createUnsubscribeLink(running.db, origin, "ann"),
  });
  const before = await sign();

  const other = await openNode();
  const secretRows = permanentSecrets.map((name) =>
    JSON.stringify([name, randomBytes(32).toString("base64url")]),
  );
  async function* restoredRows() {
    yield { table: "secrets", lines: secretRows };
  }
  const secretsTable = { name: "secrets", columns: ["name", "value"], rows: 4, counters: [] };
  await load(other.db, [secretsTable], restoredRows(), () => {});
  const image = { url: imageUrl, type: "image/png", bytes: randomBytes(9), fetchedAt: clock() };
  await other.db.insert(blogImages).values(image);

  /** What another node, which started after the restore, answers to the links. */
  const follow = async ({ html, link }: typeof before) => {
    const [, signature = "", name = ""] = /\/blog\/picture\/([\w-]+)\/([\w-]+)/.exec(html) ?? [];
    const services = { db: other.db, clock, fetch: createSafeFetch() };
    const { status } = await imageResponse(new Request(origin), { signature, name }, services);
    const token = new URL(link).searchParams.get("token") ?? "";
    return { status, subscriber: await readUnsubscribeToken(other.db, token) };
  };
  expect(await follow(before)).toEqual({ status: 404, subscriber: null });
  await expect.poll(async () => follow(await sign())).toEqual({ status: 200, subscriber: "ann" });
});

import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FeedServer, startFeedServer } from "../../../../tests/support/feed-server.ts";
import { remotePostSource } from "./remote.server.ts";

let backend: FeedServer;
let now: Date;
/** The responses that the backend has not sent yet. */
let openResponses: ServerResponse[];

beforeEach(async () => {
  now = new Date("2026-11-15T12:00:00Z");
  openResponses = [];
  backend = await startFeedServer((_, response) => openResponses.push(response));
});
afterEach(() => backend.close());

const advanceSeconds = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000);
};
const openSource = () => remotePostSource({ url: backend.url("/v1/"), key: "key" }, () => now);
const readTotal = async () => (await openSource().list("city.example", 1)).total;
const waitForRequests = (count: number) => expect.poll(() => backend.requests.length).toBe(count);
const respond = (total: number) => openResponses.shift()?.end(JSON.stringify({ blogs: [], total }));
const fail = () => openResponses.shift()?.writeHead(500).end();

it("concurrent readers share a request, and a late response is cached for the next reader", async () => {
  const [first, second] = [readTotal(), readTotal()];
  await waitForRequests(1);
  respond(7);
  expect(await Promise.all([first, second])).toEqual([7, 7]);
  expect(await readTotal()).toBe(7);
  expect(backend.requests).toHaveLength(1);
});

it("a response is fresh for a minute, and is served for a day if it cannot be refreshed", async () => {
  const first = readTotal();
  await waitForRequests(1);
  respond(1);
  await first;
  advanceSeconds(59);
  expect(await readTotal()).toBe(1);
  expect(backend.requests).toHaveLength(1);

  advanceSeconds(1);
  expect(await readTotal()).toBe(1);
  await waitForRequests(2);
  fail();
  // After a failure, the next attempt is made five seconds later.
  advanceSeconds(4);
  expect(await readTotal()).toBe(1);
  expect(backend.requests).toHaveLength(2);

  advanceSeconds(24 * 60 * 60 - 65);
  await expect.poll(async () => [await readTotal(), backend.requests.length]).toEqual([1, 3]);
  advanceSeconds(1);
  const tooLate = readTotal();
  fail();
  await expect(tooLate).rejects.toThrow("status 500");
});

it("a response is refreshed in the background when it is a minute old", async () => {
  const first = readTotal();
  await waitForRequests(1);
  respond(1);
  await first;
  advanceSeconds(60);
  expect(await readTotal()).toBe(1);
  await waitForRequests(2);
  respond(2);
  await expect.poll(readTotal).toBe(2);
  expect(backend.requests).toHaveLength(2);
});

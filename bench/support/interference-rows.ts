import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findHolder, sendCommand } from "../../server/process/command-socket.ts";
import type { TestCity } from "../../tests/support/city.ts";
import { runInServer } from "../../tests/support/newsroom.ts";
import type { LoadReport, Statuses } from "./interference-load.ts";

/** What a row needs to know about its newly started server. */
type Stage = TestCity & { port: number };

export type Outcome = { served: number; refused: number; note: string };

export type Row = {
  name: string;
  /** Whether the site files name a thousand feeds. */
  hasFeeds?: true;
  /** Starts the load. The result ends it, and says what became of it. */
  start(stage: Stage): Promise<() => Promise<Outcome>>;
};

export const feedCount = 1_000;
const emptyOutcome: Outcome = { served: 0, refused: 0, note: "" };

export const rows: Row[] = [
  { name: "alone", start: async () => async () => emptyOutcome },
  { name: "indexing a hostile blog text, 100 KB", start: editPost },
  { name: "50 searches/s of ten stop words", start: loadByVisitors("searches") },
  { name: "forms of 24 MB of empty parts, 4 at a time", start: loadByVisitors("parts") },
  { name: "backup at 100,000 headlines", start: makeBackup },
  { name: "refresh of 1,000 feeds × 50 items", hasFeeds: true, start: refreshFeeds },
];

function loadByVisitors(kind: string): Row["start"] {
  return async ({ port }) => {
    const crowd = fork(new URL("./interference-load.ts", import.meta.url), [kind, String(port)]);
    await once(crowd, "message");
    return async () => {
      crowd.send("end");
      const [report]: LoadReport[] = await once(crowd, "message");
      return report ? toOutcome(report) : emptyOutcome;
    };
  };
}

/** The statuses of a refused request; 0 is a connection that ended without a response. */
const refusals = new Set([0, 400, 408, 413, 429, 503]);

function toOutcome({ statuses, pending }: LoadReport): Outcome {
  const [served, refused] = [false, true].map((isRefused) =>
    Object.entries(statuses)
      .filter(([status]) => refusals.has(Number(status)) === isRefused)
      .reduce((sum, [, count]) => sum + count, 0),
  );
  const notes = [statusText(statuses), pending > 0 ? `${pending} without a response` : ""];
  return { served: served ?? 0, refused: refused ?? 0, note: notes.filter(Boolean).join(", ") };
}

const statusText = (statuses: Statuses) =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status === "0" ? "cut off" : status}`)
    .join(", ");

/** Saves a post whose text never closes a tag, with the maximum length that search indexes. */
async function editPost({ siteFolder }: Stage) {
  let turn = 0;
  const edit = async () => {
    turn += 1;
    await writeFile(
      join(siteFolder, "blog/hostile.md"),
      `---\nmetaTitle: Post ${turn}\nmetaDescription: A hostile text.\ndate: 2026-01-01\n---\n${turn} ${"<a ".repeat(33_000)}\n`,
    );
  };
  await edit();
  const timer = setInterval(edit, 1_500);
  return async () => {
    clearInterval(timer);
    return { served: turn, refused: 0, note: `${turn} edits` };
  };
}

async function makeBackup({ dataDir }: Stage) {
  const began = performance.now();
  let note = "still running";
  runInServer(dataDir, ["backup"]).then(
    () => {
      note = `done in ${((performance.now() - began) / 1_000).toFixed(1)} s`;
    },
    (error: unknown) => {
      note = String(error);
    },
  );
  return async () => ({ served: 1, refused: 0, note });
}

async function refreshFeeds({ dataDir }: Stage) {
  let fetchedCount = 0;
  const socket = await findHolder(dataDir);
  if (!socket) throw new Error("The server has not locked its data folder.");
  sendCommand(socket, ["feeds", "refresh"], {
    print() {
      fetchedCount += 1;
    },
  }).catch(() => {});
  return async () => ({
    served: fetchedCount,
    refused: 0,
    note: `${fetchedCount} of ${feedCount} fetched`,
  });
}

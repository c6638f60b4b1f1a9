import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { TestSmtpServer } from "../../tests/support/smtp-server.ts";
import type { ExternalServers } from "./external-servers.ts";
import { createHostilePost } from "./hostile-documents.ts";
import type { LoadReport, Statuses } from "./interference-load.ts";

/** What a row needs to know about its newly started server. */
export type Stage = {
  port: number;
  siteFolder: string;
  externalServers: ExternalServers;
  smtp: TestSmtpServer;
  /** A folder for temporary files of the row. */
  scratch: string;
  /** Runs a `newsroom` command in the server and returns its output, line by line. */
  newsroom(args: string[], onLine?: (line: string) => void): Promise<string[]>;
};

export type Outcome = { served: number; refused: number; note: string };

type Load = {
  /** Resolves when the load has finished, if the load has an end. */
  finished?: Promise<unknown>;
  end(): Promise<Outcome>;
};

export type Row = {
  name: string;
  /** The sources that the site files name in this row. */
  feeds?(port: number): { name: string; url: string }[];
  hasCalendars?: true;
  /** Starts the load. Resolves when it has started. */
  start(stage: Stage): Promise<Load>;
};

const emptyOutcome: Outcome = { served: 0, refused: 0, note: "" };
/** The job that imports calendars runs every minute, so it is due twice in this time. */
const calendarTimeoutMs = 120_000;
const feedCount = 1_000;
/**
 * Every feed has its own IP address, as in the real world: the server visits sources of the same
 * host one at a time.
 */
const feedAddress = (number: number) => `127.1.${number >> 7}.${(number & 127) + 1}`;
export const feedAddresses = Array.from({ length: feedCount }, (_, number) => feedAddress(number));

export const rows: Row[] = [
  { name: "alone", start: async () => ({ end: async () => emptyOutcome }) },
  { name: "control: another busy process", start: burnProcessor },
  {
    name: "hostile feed, 5 MB",
    feeds: (port) => [{ name: "Hostile", url: `http://127.0.0.1:${port}/hostile` }],
    start: refreshHostileFeed,
  },
  { name: "calendar bombs", hasCalendars: true, start: waitForCalendars },
  { name: "indexing a hostile blog text, 100 KB", start: editPost },
  { name: "50 searches/s of ten stop words", start: loadByVisitors("searches") },
  { name: "500 404s/s", start: loadByVisitors("missing") },
  { name: "20 forms/s of 256 KB of fields", start: loadByVisitors("fields") },
  { name: "forms of 24 MB of empty parts, 4 at a time", start: loadByVisitors("parts") },
  { name: "four trickling uploads, one honest one per second", start: loadByVisitors("trickle") },
  { name: "backup at 100,000 headlines", start: makeBackup },
  { name: "newsletter to 10,000", start: sendNewsletter },
  {
    name: "refresh of 1,000 feeds × 50 items",
    feeds: (port) =>
      Array.from({ length: feedCount }, (_, number) => ({
        name: `Feed ${number}`,
        url: `http://${feedAddress(number)}:${port}/feed/${number}`,
      })),
    start: refreshFeeds,
  },
  { name: "1,000 radio joins", start: loadByVisitors("radio") },
];

/**
 * Uses as much CPU time as a process can get, with the same priority as the load generator. The
 * other rows are compared to this one.
 */
async function burnProcessor(): Promise<Load> {
  const hog = spawn(process.execPath, ["--eval", "for (;;);"], { stdio: "ignore" });
  return {
    async end() {
      hog.kill("SIGKILL");
      return emptyOutcome;
    },
  };
}

function loadByVisitors(kind: string) {
  return async ({ port }: Stage): Promise<Load> => {
    const crowd = fork(new URL("./interference-load.ts", import.meta.url), [kind, String(port)]);
    await once(crowd, "message");
    return {
      async end() {
        crowd.send("end");
        const [report]: LoadReport[] = await once(crowd, "message");
        return report ? toOutcome(report) : emptyOutcome;
      },
    };
  };
}

/** The statuses of a refused request; 0 is a connection that ended without a response. */
const refusals = new Set([0, 400, 408, 413, 429, 503]);

function toOutcome({ statuses, pending }: LoadReport): Outcome {
  const countResponses = (matches: (status: number) => boolean) =>
    Object.entries(statuses).reduce(
      (all, [status, count]) => all + (matches(Number(status)) ? count : 0),
      0,
    );
  const isRefusal = (status: number) => refusals.has(status);
  return {
    served: countResponses((status) => !isRefusal(status)),
    refused: countResponses(isRefusal),
    note: [statusText(statuses), pending > 0 ? `${pending} without a response` : ""]
      .filter(Boolean)
      .join(", "),
  };
}

const statusText = (statuses: Statuses) =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status === "0" ? "cut off" : status}`)
    .join(", ");

/** Repeats a command until the row is over. */
function repeatCommand(run: () => Promise<string[]>): Load {
  let isOver = false;
  const lines: string[] = [];
  let runs = 0;
  const running = (async () => {
    while (!isOver) {
      lines.push(...(await run()));
      runs += 1;
      // Without this pause, a command that fails immediately would be repeated without limit.
      await pause(100);
    }
  })();
  running.catch((error: unknown) => lines.push(String(error)));
  return {
    async end() {
      isOver = true;
      return { served: runs, refused: 0, note: lines.at(0) ?? "the command did not end" };
    },
  };
}

async function refreshHostileFeed({ externalServers, newsroom }: Stage): Promise<Load> {
  externalServers.isHostile = true;
  return repeatCommand(() => newsroom(["feeds", "refresh", "hostile"]));
}

async function waitForCalendars({ externalServers }: Stage): Promise<Load> {
  const deadline = performance.now() + calendarTimeoutMs;
  while (externalServers.requestedCalendars.size === 0) {
    if (performance.now() > deadline) throw new Error("The server requested no calendar.");
    await pause(20);
  }
  // The first calendar is sent after the measurement has started.
  setTimeout(() => {
    externalServers.isHostile = true;
  }, 300);
  const calendarCount = externalServers.calendars.length;
  let isOver = false;
  const finished = (async () => {
    while (externalServers.requestedCalendars.size < calendarCount && !isOver) await pause(100);
    // The server has to read the last calendar too.
    await pause(4_000);
  })();
  return {
    finished,
    async end() {
      isOver = true;
      const requested = [...externalServers.requestedCalendars];
      return {
        served: requested.length,
        refused: 0,
        note: `${requested.length} of ${calendarCount} requested, last ${requested.at(-1)}`,
      };
    },
  };
}

async function editPost({ siteFolder }: Stage): Promise<Load> {
  const file = join(siteFolder, "blog/hostile.md");
  let turn = 0;
  const edit = async () => {
    turn += 1;
    await writeFile(file, createHostilePost(turn));
  };
  await edit();
  const timer = setInterval(edit, 1_500);
  return {
    async end() {
      clearInterval(timer);
      await rm(file);
      return { served: turn, refused: 0, note: `${turn} edits` };
    },
  };
}

async function makeBackup({ newsroom, scratch }: Stage): Promise<Load> {
  const began = performance.now();
  let seconds = 0;
  let resultLine = "";
  const finished = newsroom(["backup", join(scratch, "backup.tar.gz")]).then((lines) => {
    seconds = (performance.now() - began) / 1_000;
    resultLine = lines[1] ?? lines[0] ?? "";
  });
  return {
    finished,
    async end() {
      const note =
        seconds === 0 ? "still running" : `${seconds.toFixed(1)} s: ${resultLine.trim()}`;
      return { served: seconds === 0 ? 0 : 1, refused: 0, note };
    },
  };
}

async function sendNewsletter({ newsroom, smtp }: Stage): Promise<Load> {
  const before = smtp.accepted.length;
  newsroom(["newsletter", "send", "--yes"]).catch(() => {});
  return {
    async end() {
      const sent = smtp.accepted.length - before;
      return { served: sent, refused: 0, note: `${sent} emails` };
    },
  };
}

async function refreshFeeds({ newsroom }: Stage): Promise<Load> {
  let visitedCount = 0;
  newsroom(["feeds", "refresh"], () => {
    visitedCount += 1;
  }).catch(() => {});
  return {
    async end() {
      return { served: visitedCount, refused: 0, note: `${visitedCount} of ${feedCount} visited` };
    },
  };
}

import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { TestSmtpServer } from "../../tests/support/smtp-server.ts";
import type { OutsideWorld } from "./external-servers.ts";
import { hostilePost } from "./hostile-documents.ts";
import type { LoadReport, Statuses } from "./interference-load.ts";

/** The server of one row, freshly started, and what is around it. */
export type Stage = {
  port: number;
  siteFolder: string;
  outside: OutsideWorld;
  smtp: TestSmtpServer;
  /** A folder for what the row leaves behind. */
  scratch: string;
  /** Runs a command of the newsroom inside the server; gives its lines, and each as it comes. */
  newsroom(args: string[], onLine?: (line: string) => void): Promise<string[]>;
};

export type Outcome = { served: number; refused: number; note: string };

type Load = {
  /** The row lasts until then, where that is known. */
  settled?: Promise<unknown>;
  end(): Promise<Outcome>;
};

export type Row = {
  name: string;
  /** Sources that the city's files name in this row. */
  feeds?(port: number): { name: string; url: string }[];
  hasCalendars?: true;
  /** Begins the load, and is done when it has begun. */
  begin(stage: Stage): Promise<Load>;
};

const nothing: Outcome = { served: 0, refused: 0, note: "" };
/** Calendars are a job of every minute, which is looked for twice in that time. */
const calendarsWithinMs = 120_000;
const feedCount = 1_000;
/**
 * Every feed has an address of its own, as in the world: sources of the same host are visited one
 * at a time.
 */
const feedAddress = (number: number) => `127.1.${number >> 7}.${(number & 127) + 1}`;
export const feedAddresses = Array.from({ length: feedCount }, (_, number) => feedAddress(number));

export const rows: Row[] = [
  { name: "alone", begin: async () => ({ end: async () => nothing }) },
  { name: "control: a busy process beside it", begin: burnProcessor },
  {
    name: "hostile feed, 5 MB",
    feeds: (port) => [{ name: "Hostile", url: `http://127.0.0.1:${port}/hostile` }],
    begin: refreshHostileFeed,
  },
  { name: "calendar bombs", hasCalendars: true, begin: waitForCalendars },
  { name: "indexing a hostile blog text, 100 KB", begin: editPost },
  { name: "50 searches/s of ten stop words", begin: visitors("searches") },
  { name: "500 404s/s", begin: visitors("missing") },
  { name: "20 forms/s of 256 KB of fields", begin: visitors("fields") },
  { name: "forms of 24 MB of empty parts, 4 at a time", begin: visitors("parts") },
  { name: "four trickling uploads, one honest one per second", begin: visitors("trickle") },
  { name: "backup at 100,000 headlines", begin: makeBackup },
  { name: "newsletter to 10,000", begin: sendNewsletter },
  {
    name: "refresh of 1,000 feeds × 50 items",
    feeds: (port) =>
      Array.from({ length: feedCount }, (_, number) => ({
        name: `Feed ${number}`,
        url: `http://${feedAddress(number)}:${port}/feed/${number}`,
      })),
    begin: refreshFeeds,
  },
  { name: "1,000 radio joins", begin: visitors("radio") },
];

/**
 * As much processor time as a process can get that does nothing, with the weight that the load
 * generator has.
 */
async function burnProcessor(): Promise<Load> {
  const hog = spawn(process.execPath, ["--eval", "for (;;);"], { stdio: "ignore" });
  return {
    async end() {
      hog.kill("SIGKILL");
      return nothing;
    },
  };
}

function visitors(kind: string) {
  return async ({ port }: Stage): Promise<Load> => {
    const crowd = fork(new URL("./interference-load.ts", import.meta.url), [kind, String(port)]);
    await once(crowd, "message");
    return {
      async end() {
        crowd.send("end");
        const [report]: LoadReport[] = await once(crowd, "message");
        return report ? outcomeOf(report) : nothing;
      },
    };
  };
}

/** Answers by which a server says "too much", and connections that it ended without one. */
const refusals = new Set([0, 400, 408, 413, 429, 503]);

function outcomeOf({ statuses, unanswered }: LoadReport): Outcome {
  const sum = (of: (status: number) => boolean) =>
    Object.entries(statuses).reduce(
      (all, [status, count]) => all + (of(Number(status)) ? count : 0),
      0,
    );
  const isRefusal = (status: number) => refusals.has(status);
  return {
    served: sum((status) => !isRefusal(status)),
    refused: sum(isRefusal),
    note: [statusText(statuses), unanswered > 0 ? `${unanswered} unanswered` : ""]
      .filter(Boolean)
      .join(", "),
  };
}

const statusText = (statuses: Statuses) =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status === "0" ? "cut off" : status}`)
    .join(", ");

/** Runs a command again and again until the row is over. */
function repeatedly(run: () => Promise<string[]>): Load {
  let isOver = false;
  const lines: string[] = [];
  let runs = 0;
  const running = (async () => {
    while (!isOver) {
      lines.push(...(await run()));
      runs += 1;
      // A command that fails at once is not a load.
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

async function refreshHostileFeed({ outside, newsroom }: Stage): Promise<Load> {
  outside.isArmed = true;
  return repeatedly(() => newsroom(["feeds", "refresh", "hostile"]));
}

async function waitForCalendars({ outside }: Stage): Promise<Load> {
  const latest = performance.now() + calendarsWithinMs;
  while (outside.askedCalendars.size === 0) {
    if (performance.now() > latest) throw new Error("No calendar was asked for.");
    await pause(20);
  }
  // The first one is answered when the measuring has begun.
  setTimeout(() => {
    outside.isArmed = true;
  }, 300);
  const all = outside.calendars.length;
  let isOver = false;
  const settled = (async () => {
    while (outside.askedCalendars.size < all && !isOver) await pause(100);
    // The last one has to be read as well.
    await pause(4_000);
  })();
  return {
    settled,
    async end() {
      isOver = true;
      const asked = [...outside.askedCalendars];
      return {
        served: asked.length,
        refused: 0,
        note: `${asked.length} of ${all} asked for, last ${asked.at(-1)}`,
      };
    },
  };
}

async function editPost({ siteFolder }: Stage): Promise<Load> {
  const file = join(siteFolder, "blog/hostile.md");
  let turn = 0;
  const edit = async () => {
    turn += 1;
    await writeFile(file, hostilePost(turn));
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
  let last = "";
  const settled = newsroom(["backup", join(scratch, "backup.tar.gz")]).then((lines) => {
    seconds = (performance.now() - began) / 1_000;
    last = lines[1] ?? lines[0] ?? "";
  });
  return {
    settled,
    async end() {
      const note = seconds === 0 ? "still running" : `${seconds.toFixed(1)} s: ${last.trim()}`;
      return { served: seconds === 0 ? 0 : 1, refused: 0, note };
    },
  };
}

async function sendNewsletter({ newsroom, smtp }: Stage): Promise<Load> {
  const before = smtp.accepted.length;
  newsroom(["digest", "send", "--yes"]).catch(() => {});
  return {
    async end() {
      const sent = smtp.accepted.length - before;
      return { served: sent, refused: 0, note: `${sent} mails` };
    },
  };
}

async function refreshFeeds({ newsroom }: Stage): Promise<Load> {
  let done = 0;
  newsroom(["feeds", "refresh"], () => {
    done += 1;
  }).catch(() => {});
  return {
    async end() {
      return { served: done, refused: 0, note: `${done} of ${feedCount} visited` };
    },
  };
}

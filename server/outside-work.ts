import type { CalendarRead, NotRead, ReadCalendar } from "../app/features/calendars/read.server.ts";
import type { Read, ReadItems } from "../app/features/feeds/read.server.ts";
import type { SourceText } from "../app/lib/plain-text.server.ts";
import type { Visited } from "../app/lib/polite.server.ts";
import type { RenderPost } from "../app/lib/untrusted-markdown.server.ts";
import type { outsideTasks } from "./outside-tasks.ts";
import { type Outcome, openWorkerLane } from "./worker-lane.ts";

/** Reads what others wrote, in worker threads: no document can hold up or end the process. */
export type OutsideReaders = {
  readItems(...document: Parameters<ReadItems>): Promise<Read>;
  readCalendar(...document: Parameters<ReadCalendar>): Promise<CalendarRead | NotRead>;
  /** The words of each text, in the same order. */
  readTexts(sources: SourceText[]): Promise<Outcome<string[]>>;
};

export type OutsideWork = {
  readers: OutsideReaders;
  renderPost: RenderPost;
  close(): Promise<void>;
};

/** Many times what the largest honest document needs. */
const deadlines = { feedMs: 5_000, calendarMs: 15_000, textsMs: 2_000 };

/** An honest calendar of 24 MB needs about half of it. */
const memoryMb = 256;
const documentsIdleMs = 10_000;
/** Readers wait for the posts, so this worker stays a little longer. */
const postsIdleMs = 60_000;
const maxWaiting = 100;

/**
 * Two lanes, so that a reader who opens a post never waits for somebody's calendar. Not more: what nobody waits for
 * must not take the cores from readers. `file` is the entry of the workers.
 */
export function openOutsideWork(
  file = "server/outside-worker.ts",
  { feedMs, calendarMs, textsMs } = deadlines,
): OutsideWork {
  const open = (idleMs: number) =>
    openWorkerLane<typeof outsideTasks>({ file, memoryMb, idleMs, maxWaiting });
  const [documents, posts] = [open(documentsIdleMs), open(postsIdleMs)];
  return {
    readers: {
      async readItems({ body: given, type, url }, now) {
        const body = movable(given);
        const options = { deadlineMs: feedMs, transfer: [body.buffer] };
        const outcome = await documents.run("feed", { body, type, url, now }, options);
        return outcome.kind === "done" ? outcome.value : notRead(outcome, feedMs);
      },
      async readCalendar(given, { now, timeZone }) {
        const body = movable(given);
        const options = { deadlineMs: calendarMs, transfer: [body.buffer] };
        const outcome = await documents.run("calendar", { body, now, timeZone }, options);
        return outcome.kind === "done" ? outcome.value : notRead(outcome, calendarMs);
      },
      readTexts: (sources) => documents.run("texts", sources, { deadlineMs: textsMs }),
    },
    async renderPost(text, { origin, pictureKey }) {
      const outcome = await posts.run("post", { text, origin, pictureKey }, { deadlineMs: textsMs });
      return outcome.kind === "done" ? outcome.value : null;
    },
    async close() {
      await Promise.all([documents.close(), posts.close()]);
    },
  };
}

/** The bytes in memory of their own. A small Buffer shares its memory with others, which must stay in this thread. */
function movable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}

function notRead(
  { kind }: Extract<Outcome<unknown>, { kind: "too-slow" | "too-big" }>,
  deadlineMs: number,
): Extract<Visited, { kind: "failed" }> {
  return kind === "too-slow"
    ? {
        ...{ kind: "failed", cause: "too-slow-to-read", waitMs: null },
        detail: `more than ${deadlineMs / 1000} seconds`,
      }
    : {
        kind: "failed",
        cause: "too-big-to-read",
        detail: `more than ${memoryMb} MB of memory`,
        waitMs: null,
      };
}

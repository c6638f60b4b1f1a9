import { and, eq, ne } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { daysBefore } from "../../lib/dates.ts";
import {
  type Cause,
  conditionalHeaders,
  latestVisitTime,
  nextVisitTime,
  type Pace,
  recordVisit,
  type SourceHealth,
  toSourceHealth,
  toVisitResult,
  type VisitFailure,
} from "../../lib/external/source-visits.server.ts";
import { QueueFull, WorkRefused } from "../../lib/external/work-refused.ts";
import { errorFields } from "../../lib/log.ts";
import type { Services } from "../../platform/services.ts";
import type { RunInWorker, WorkerTask } from "../../platform/worker-task.ts";
import { siteSettingsFile, siteUserAgent } from "../brand/files.server.ts";
import { sourceDocuments } from "./schema.server.ts";

type SourceDocument<Input, Content extends object> = {
  id: string;
  /** A document with another URL is a different one, so its state is reset. */
  url: string;
  /** The URL to request, if it depends on the date. */
  requestUrl?: string;
  accept: string;
  maxBytes: number;
  pace: Pace;
  /** Reads the document in a worker thread. Returns null if the document is something else. */
  task: WorkerTask<Input & { body: Uint8Array }, Content | null>;
  input: Input;
  /** What the document should be, such as "a calendar". */
  expected: string;
  /** Whether the row has the content too. Then `store` also runs if nothing is new. */
  storesContent?: boolean;
  /** Whether the document was made before the stored one. Then it counts as a failure. */
  isOlder?(content: Content, stored: Content): boolean;
  countItems?(content: Content): number;
  /** Runs in the transaction that records the visit. */
  store(tx: Database, content: Content, now: Date): Promise<unknown>;
};

export type VisitServices = Pick<
  Services,
  "site" | "db" | "clock" | "fetch" | "log" | "runInWorker"
>;

export type SourceState = typeof sourceDocuments.$inferSelect;

/** Even an unchanged document is read again then, because the days that we import move on. */
const rereadDays = 7;
const noValidators = { etag: null, lastModified: null, bodyHash: null };

const toFailure = (cause: Cause, detail: string): VisitFailure => ({
  kind: "failed",
  cause,
  detail,
});
const notStored = toFailure("not-readable", "could not be stored");
const older = toFailure("stale", "the response is older than the one before");

/**
 * Visits the document if it is due, and returns its last readable content. With several nodes,
 * only one of them visits it.
 */
export async function visitSource<Input, Content extends object>(
  services: VisitServices,
  source: SourceDocument<Input, Content>,
): Promise<Content | null> {
  const { db, clock, log } = services;
  const { state, isClaimed } = await claimVisit(db, source, clock());
  // The task of this document has returned the stored content.
  const stored = state.content as Content | null;
  if (!isClaimed) return stored;
  try {
    const result = await visit(services, source, state, stored);
    if (result.kind === "visited") return result.content;
    await record(db, source, recordVisit(result, state.failures, clock(), source.pace));
    log.warn("source.failed", { source: source.id, cause: result.cause, detail: result.detail });
  } catch (error) {
    if (error instanceof WorkRefused) {
      // This process was busy or closing. The document may be fine, so the visit does not count.
      const { checkedAt, failures, nextAttemptAt } = state;
      await record(db, source, { checkedAt, failures, nextAttemptAt });
      if (!(error instanceof QueueFull)) throw error;
    } else {
      // Other documents must not wait, and the status page has to name a cause.
      log.error("source.not_stored", { source: source.id, ...errorFields(error) });
      await record(db, source, recordVisit(notStored, state.failures, clock(), source.pace));
    }
  }
  return stored;
}

async function visit<Input, Content extends object>(
  services: VisitServices,
  source: SourceDocument<Input, Content>,
  state: SourceState,
  stored: Content | null,
): Promise<{ kind: "visited"; content: Content | null } | VisitFailure> {
  const { site, db, clock, fetch, log, runInWorker } = services;
  const isRecent = state.readAt !== null && state.readAt > daysBefore(clock(), rereadDays);
  const validators = isRecent ? state : noValidators;
  const fetched = await fetch(source.requestUrl ?? source.url, {
    maxBytes: source.maxBytes,
    headers: {
      "User-Agent": siteUserAgent(site.read(siteSettingsFile)),
      Accept: source.accept,
      ...conditionalHeaders(validators),
    },
  });
  const now = clock();
  const visited = toVisitResult(fetched, validators, now);
  if (visited.kind === "failed") return visited;
  const success = recordVisit(visited, state.failures, now, source.pace);
  if (visited.kind === "same") {
    await db.transaction(async (tx) => {
      const isRecorded = await record(tx, source, success);
      if (isRecorded && stored) await source.store(tx, stored, now);
    });
    return { kind: "visited", content: stored };
  }
  const read = await readInWorker(runInWorker, source.task, visited.body, source.input);
  if (read.kind === "failed") return read;
  const content = read.value;
  if (content === null) return toFailure("not-readable", `the response is not ${source.expected}`);
  if (stored && source.isOlder?.(content, stored)) return older;
  const items = source.countItems?.(content) ?? 0;
  await db.transaction(async (tx) => {
    const isRecorded = await record(tx, source, {
      ...success,
      content: source.storesContent ? content : null,
      readAt: now,
      items,
    });
    if (isRecorded) await source.store(tx, content, now);
  });
  log.info("source.read", { source: source.id, items });
  return { kind: "visited", content };
}

type Identity = Pick<SourceDocument<unknown, object>, "id" | "url" | "pace">;

/**
 * Schedules the next visit before this one begins, so that no other node visits the document too,
 * and a document that crashes the process is not visited again right after a restart. Until its
 * result is recorded, the visit counts as a failure, so the backoff grows.
 */
async function claimVisit(db: Database, { id, url, pace }: Identity, now: Date) {
  const initialState = {
    url,
    ...noValidators,
    content: null,
    items: 0,
    checkedAt: now,
    lastSuccessAt: null,
    readAt: null,
    nextAttemptAt: now,
    failures: 0,
    cause: null,
    detail: null,
  };
  await db
    .insert(sourceDocuments)
    .values({ id, ...initialState })
    .onConflictDoUpdate({
      target: sourceDocuments.id,
      set: initialState,
      setWhere: ne(sourceDocuments.url, url),
    });
  const [state] = await db.select().from(sourceDocuments).where(eq(sourceDocuments.id, id));
  if (!state) throw new Error(`the source ${id} was deleted`);
  const { nextAttemptAt } = state;
  if (nextAttemptAt > now && nextAttemptAt <= latestVisitTime(now))
    return { state, isClaimed: false };
  const failures = state.failures + 1;
  const claimed = await db
    .update(sourceDocuments)
    .set({
      checkedAt: now,
      failures,
      nextAttemptAt: nextVisitTime(now, notStored, failures, pace),
    })
    // Another node may have claimed it meanwhile.
    .where(and(eq(sourceDocuments.id, id), eq(sourceDocuments.nextAttemptAt, nextAttemptAt)))
    .returning({ id: sourceDocuments.id });
  return { state, isClaimed: claimed.length > 0 };
}

/**
 * Returns false if the URL has changed during the visit: then the result is about another document.
 */
async function record(db: Database, { id, url }: Identity, changes: Partial<SourceState>) {
  const recorded = await db
    .update(sourceDocuments)
    .set(changes)
    .where(and(eq(sourceDocuments.id, id), eq(sourceDocuments.url, url)))
    .returning({ id: sourceDocuments.id });
  return recorded.length > 0;
}

/**
 * Returns the state of every source of a section. A source whose content is so old that pages no
 * longer show it is failing.
 */
export async function readVisitHealth(
  db: Database,
  sources: { id: string; name: string }[],
  section: string,
  isStale: (state: SourceState) => boolean = () => false,
): Promise<SourceHealth[]> {
  const states = await db.select().from(sourceDocuments);
  return sources.map(({ id, name }) => {
    const state = states.find((each) => each.id === id);
    const cause = state?.cause ?? (state && isStale(state) ? "stale" : null);
    return toSourceHealth({ id, name, sections: [section] }, state && { ...state, cause });
  });
}

/** Reads a document in a worker thread, to which a copy of the bytes moves. */
export async function readInWorker<Input, Output>(
  runInWorker: RunInWorker,
  task: WorkerTask<Input & { body: Uint8Array }, Output>,
  bytes: Uint8Array,
  input: Input,
): Promise<{ kind: "read"; value: Output } | VisitFailure> {
  const body = new Uint8Array(bytes);
  const outcome = await runInWorker(task, { ...input, body }, [body.buffer]);
  if (outcome.kind === "done") return { kind: "read", value: outcome.value };
  const { kind, detail } = outcome;
  return toFailure(`${kind}-to-read`, detail);
}

import { and, eq, ne } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import {
  conditionalHeaders,
  latestVisitTime,
  toUnreadableResult,
  toVisitResult,
  type VisitResult,
} from "../../../lib/external/source-visits.server.ts";
import { toTransferable } from "../../../lib/external/transferable.server.ts";
import { WorkRefused } from "../../../lib/external/work-refused.ts";
import { errorFields } from "../../../lib/log.ts";
import type { Services } from "../../../platform/services.ts";
import type { WorkerTask } from "../../../platform/worker-task.ts";
import { weatherDocuments } from "../schema.server.ts";

/** A document that we fetch again and again. */
export type DocumentSource<Input, Content extends object> = {
  id: string;
  url: string;
  everyMs: number;
  /** The longest wait after failures, unless the server asks for a longer one. */
  maxRetryMs: number;
  maxBytes: number;
  /** Reads the document in a worker thread. Returns null if it is not such a document. */
  task: WorkerTask<Input & { body: Uint8Array }, Content | null>;
  input: Input;
  /** Whether the document was made before the stored one. Then it counts as a failure. */
  isOlder?(content: Content, stored: Content): boolean;
  /** Runs after every success, even if nothing is new, in the transaction that records it. */
  onSuccess(tx: Database, content: Content, now: Date): Promise<void>;
};

export type VisitServices = Pick<Services, "db" | "clock" | "fetch" | "log" | "runInWorker"> & {
  userAgent: string;
};

type State = typeof weatherDocuments.$inferSelect;
type Failure = Extract<VisitResult, { kind: "failed" }>;

/** Visits the document if it is due, and returns its last readable content. */
export async function refreshDocument<Input, Content extends object>(
  services: VisitServices,
  source: DocumentSource<Input, Content>,
): Promise<Content | null> {
  const { db, clock, fetch, userAgent, log } = services;
  const { state, isClaimed } = await claimVisit(db, source, clock());
  // The task of this document has returned the stored content.
  const stored = state.content as Content | null;
  if (!isClaimed) return stored;
  const headers = {
    "User-Agent": userAgent,
    Accept: "application/geo+json, application/json;q=0.9",
    ...conditionalHeaders(state),
  };
  const fetched = await fetch(source.url, { maxBytes: source.maxBytes, headers });
  const now = clock();
  const visit = toVisitResult(fetched, state, now);
  const failures = state.failures + 1;
  const fail = async ({ cause, detail, waitMs }: Failure) => {
    const nextAttemptAt = nextVisitTime(source, now, failures, waitMs);
    await record(db, source, { checkedAt: now, failures, nextAttemptAt, cause, detail });
    log.warn("weather.failed", { document: source.id, cause, detail });
    return stored;
  };
  if (visit.kind === "failed") return fail(visit);
  const result = await readAndStore(services, source, visit, stored, now).catch(
    (error: unknown): Failure => {
      // It says nothing about the document.
      if (error instanceof WorkRefused) throw error;
      // Other documents must not wait, and the status page has to name a cause.
      log.error("weather.not_stored", { document: source.id, ...errorFields(error) });
      return notStored;
    },
  );
  return "value" in result ? result.value : fail(result);
}

async function readAndStore<Input, Content extends object>(
  services: VisitServices,
  source: DocumentSource<Input, Content>,
  visit: Exclude<VisitResult, Failure>,
  stored: Content | null,
  now: Date,
): Promise<{ value: Content } | Failure> {
  const content =
    visit.kind === "new" ? await readInWorker(services, source, visit.body) : { value: stored };
  if ("kind" in content) return content;
  const { value } = content;
  if (value === null) return notReadable;
  if (stored && source.isOlder?.(value, stored)) return older;
  await services.db.transaction(async (tx) => {
    const { etag, lastModified, bodyHash } = visit.visit;
    await record(tx, source, {
      etag,
      lastModified,
      bodyHash,
      content: value,
      checkedAt: now,
      lastSuccessAt: now,
      failures: 0,
      nextAttemptAt: nextVisitTime(source, now, 0, null),
      cause: null,
      detail: null,
    });
    await source.onSuccess(tx, value, now);
  });
  return { value };
}

const notReadable: Failure = {
  kind: "failed",
  cause: "not-readable",
  detail: "the response is not the expected JSON",
  waitMs: null,
};

const notStored: Failure = { ...notReadable, detail: "could not be stored" };

const older: Failure = {
  kind: "failed",
  cause: "stale",
  detail: "the response is older than the one before",
  waitMs: null,
};

async function readInWorker<Input, Content extends object>(
  { runInWorker }: Pick<Services, "runInWorker">,
  { task, input }: DocumentSource<Input, Content>,
  bytes: Uint8Array,
): Promise<{ value: Content | null } | Failure> {
  const body = toTransferable(bytes);
  const outcome = await runInWorker(task, { ...input, body }, [body.buffer]);
  return outcome.kind === "done" ? { value: outcome.value } : toUnreadableResult(outcome);
}

/**
 * Schedules the next visit before this one begins, so that no other node visits the document too,
 * and so that a document that crashes the process is not visited again right after a restart.
 */
async function claimVisit(
  db: Database,
  source: Pick<DocumentSource<unknown, object>, "id" | "url" | "everyMs" | "maxRetryMs">,
  now: Date,
): Promise<{ state: State; isClaimed: boolean }> {
  const { id, url } = source;
  const initialState = {
    url,
    etag: null,
    lastModified: null,
    bodyHash: null,
    content: null,
    checkedAt: now,
    lastSuccessAt: null,
    nextAttemptAt: now,
    failures: 0,
    cause: null,
    detail: null,
  };
  await db
    .insert(weatherDocuments)
    .values({ id, ...initialState })
    .onConflictDoUpdate({
      target: weatherDocuments.id,
      set: initialState,
      setWhere: ne(weatherDocuments.url, url),
    });
  const [state] = await db.select().from(weatherDocuments).where(eq(weatherDocuments.id, id));
  if (!state) throw new Error(`the document ${id} was deleted`);
  const { nextAttemptAt, failures } = state;
  if (nextAttemptAt > now && nextAttemptAt <= latestVisitTime(now))
    return { state, isClaimed: false };
  const claimed = await db
    .update(weatherDocuments)
    .set({
      checkedAt: now,
      failures: failures + 1,
      nextAttemptAt: nextVisitTime(source, now, failures + 1, null),
    })
    // Another node may have claimed it meanwhile.
    .where(and(eq(weatherDocuments.id, id), eq(weatherDocuments.nextAttemptAt, nextAttemptAt)))
    .returning({ id: weatherDocuments.id });
  return { state, isClaimed: claimed.length > 0 };
}

const record = (
  db: Database,
  { id, url }: { id: string; url: string },
  changes: Partial<State>,
): Promise<unknown> =>
  db
    .update(weatherDocuments)
    .set(changes)
    // If the URL has changed during the visit, the result is about a different document.
    .where(and(eq(weatherDocuments.id, id), eq(weatherDocuments.url, url)));

/** No server can stop our visits for longer than a day. */
const maxWaitMs = 24 * 60 * 60_000;

function nextVisitTime(
  { everyMs, maxRetryMs }: Pick<DocumentSource<unknown, object>, "everyMs" | "maxRetryMs">,
  now: Date,
  failures: number,
  requestedWaitMs: number | null,
): Date {
  const backOff = Math.min(everyMs * 2 ** Math.min(failures - 1, 20), maxRetryMs);
  const wait =
    failures === 0 ? everyMs : Math.min(Math.max(backOff, requestedWaitMs ?? 0), maxWaitMs);
  return new Date(now.getTime() + wait);
}

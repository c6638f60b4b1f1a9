import { and, eq, ne } from "drizzle-orm";
import pLimit from "p-limit";
import type { Database } from "../../../db/database.ts";
import { daysBefore } from "../../lib/dates.ts";
import {
  type Cause,
  conditionalHeaders,
  describeCause,
  latestVisitTime,
  nextVisitTime,
  type Pace,
  recordVisit,
  type SourceHealth,
  toVisitResult,
  type VisitFailure,
} from "../../lib/external/source-visits.server.ts";
import { QueueFull, WorkRefused } from "../../lib/external/work-refused.ts";
import { errorFields } from "../../lib/log.ts";
import type { Services } from "../../platform/services.ts";
import type { RunInWorker, WorkerTask } from "../../platform/worker-task.ts";
import { siteSettingsFile, siteUserAgent } from "../brand/files.server.ts";
import { sourceDocuments } from "./schema.server.ts";

/** A document as a server sent it. */
export type FetchedDocument = { body: Uint8Array; type: string; url: string };

type SourceDocument<Input, Content extends object, Stored> = {
  id: string;
  /** A document with another URL is a different one, so its state is reset. */
  url: string;
  /** The URL to request, if it depends on the date. */
  requestUrl?: string;
  accept: string;
  maxBytes: number;
  pace: Pace;
  /**
   * Reads the document in a worker thread. Returns null if the document is something else, or says
   * itself what is wrong with it.
   */
  task: WorkerTask<Input & FetchedDocument, Content | VisitFailure | null>;
  input: Input;
  /** What the document should be, such as "a calendar". */
  expected: string;
  /** Whether one line of the log is about many documents, so that each needs none. */
  isQuiet?: boolean;
  /** Whether the row has the content too. Then `store` also runs if nothing is new. */
  storesContent?: boolean;
  /** Whether the document was made before the stored one. Then it counts as a failure. */
  isOlder?(content: Content, stored: Content): boolean;
  countItems?(content: Content): number;
  /** Runs in the transaction that records the visit. */
  store(tx: Database, content: Content, now: Date): Promise<Stored>;
  /** Runs after that transaction, and before that of the next document. */
  onStored?(stored: Stored): void;
};

type Visit<Content> = {
  /** False if the document was not due, if another node visits it, or if this one was too busy. */
  isVisited: boolean;
  /** The last readable content. */
  content: Content | null;
  failure: VisitFailure | null;
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

/** One after the other, so that each finds what those before it have stored. */
const storeInTurn = pLimit(1);

/**
 * Visits the document if it is due, or if somebody asks for it. With several nodes, only one of them
 * visits it.
 */
export async function visitSource<Input, Content extends object, Stored>(
  services: VisitServices,
  source: SourceDocument<Input, Content, Stored>,
  isAskedFor = false,
): Promise<Visit<Content>> {
  const { db, clock, log } = services;
  const { state, isClaimed } = await claimVisit(db, source, clock(), isAskedFor);
  // The task of this document has returned the stored content.
  const stored = state.content as Content | null;
  const missed = { isVisited: false, content: stored, failure: null };
  if (!isClaimed) return missed;
  const fail = async (failure: VisitFailure) => {
    const failed = recordVisit(failure, state.failures, clock(), source.pace);
    // A permanent redirect may have been a mistake, so the next visit uses the source's own URL.
    await record(db, source, { ...failed, movedTo: null });
    return { isVisited: true, content: stored, failure };
  };
  try {
    const result = await visit(services, source, state, stored);
    if (result.kind === "visited")
      return { isVisited: true, content: result.content, failure: null };
    const { cause, detail } = result;
    if (!source.isQuiet) log.warn("source.failed", { source: source.id, cause, detail });
    return await fail(result);
  } catch (error) {
    if (error instanceof WorkRefused) {
      // This process was busy or closing. The document may be fine, so the visit does not count.
      const { checkedAt, failures, nextAttemptAt } = state;
      await record(db, source, { checkedAt, failures, nextAttemptAt });
      if (error instanceof QueueFull) return missed;
      throw error;
    }
    // Other documents must not wait, and the status page has to name a cause.
    log.error("source.not_stored", { source: source.id, ...errorFields(error) });
    return fail(notStored);
  }
}

async function visit<Input, Content extends object, Stored>(
  services: VisitServices,
  source: SourceDocument<Input, Content, Stored>,
  state: SourceState,
  stored: Content | null,
): Promise<{ kind: "visited"; content: Content | null } | VisitFailure> {
  const { site, db, clock, fetch, log, runInWorker } = services;
  const isRecent = state.readAt !== null && state.readAt > daysBefore(clock(), rereadDays);
  const validators = isRecent ? state : noValidators;
  const fetched = await fetch(source.requestUrl ?? state.movedTo ?? source.url, {
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
  const success = {
    ...recordVisit(visited, state.failures, now, source.pace),
    movedTo: visited.movedTo ?? state.movedTo,
  };
  const store = (changes: Partial<SourceState>, content: Content | null) =>
    storeInTurn(async () => {
      const result = await db.transaction(async (tx) => {
        const isRecorded = await record(tx, source, changes);
        return isRecorded && content ? { stored: await source.store(tx, content, now) } : null;
      });
      if (result) source.onStored?.(result.stored);
    });
  if (visited.kind === "same") {
    await store(success, stored);
    return { kind: "visited", content: stored };
  }
  const { body, type, url } = visited;
  const read = await readInWorker(runInWorker, source.task, { ...source.input, body, type, url });
  if (read.kind === "failed") return read;
  const content = read.value;
  if (content === null) return toFailure("not-readable", `the response is not ${source.expected}`);
  if (isFailure(content)) return content;
  if (stored && source.isOlder?.(content, stored)) return older;
  const items = source.countItems?.(content) ?? 0;
  const changes = { content: source.storesContent ? content : null, readAt: now, items };
  await store({ ...success, ...changes }, content);
  if (!source.isQuiet) log.info("source.read", { source: source.id, items });
  return { kind: "visited", content };
}

const isFailure = (content: object): content is VisitFailure =>
  "kind" in content && content.kind === "failed";

type Identity = Pick<SourceDocument<unknown, object, unknown>, "id" | "url" | "pace">;

/**
 * Schedules the next visit before this one begins, so that no other node visits the document too,
 * and a document that crashes the process is not visited again right after a restart. Until its
 * result is recorded, the visit counts as a failure, so the backoff grows.
 */
async function claimVisit(
  db: Database,
  { id, url, pace }: Identity,
  now: Date,
  isAskedFor: boolean,
) {
  const initialState = {
    url,
    movedTo: null,
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
  if (!isAskedFor && !isDue(state, now)) return { state, isClaimed: false };
  const failures = state.failures + 1;
  const claimed = await db
    .update(sourceDocuments)
    .set({
      checkedAt: now,
      failures,
      nextAttemptAt: nextVisitTime(now, notStored, failures, pace),
    })
    // Another node may have claimed it meanwhile.
    .where(and(eq(sourceDocuments.id, id), eq(sourceDocuments.nextAttemptAt, state.nextAttemptAt)))
    .returning({ id: sourceDocuments.id });
  return { state, isClaimed: claimed.length > 0 };
}

/** Selects the documents that are due, so that thousands of others need no visit. */
export async function selectDue<Source extends { id: string; url: string }>(
  db: Database,
  sources: Source[],
  now: Date,
): Promise<Source[]> {
  const { id, url, nextAttemptAt } = sourceDocuments;
  const states = await db.select({ id, url, nextAttemptAt }).from(sourceDocuments);
  const notDue = new Map(
    states.filter((state) => !isDue(state, now)).map((state) => [state.id, state.url]),
  );
  return sources.filter((source) => notDue.get(source.id) !== source.url);
}

const isDue = ({ nextAttemptAt }: Pick<SourceState, "nextAttemptAt">, now: Date) =>
  nextAttemptAt <= now || nextAttemptAt > latestVisitTime(now);

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
 * Returns the state of every source. A source whose content is so old that pages no longer show it
 * is failing.
 */
export async function readVisitHealth(
  db: Database,
  sources: Pick<SourceHealth, "id" | "name" | "sections">[],
  isStale: (state: SourceState) => boolean = () => false,
): Promise<SourceHealth[]> {
  const states = new Map(
    (await db.select().from(sourceDocuments)).map((state) => [state.id, state]),
  );
  return sources.map(({ id, name, sections }) => {
    const state = states.get(id);
    const causeKey = state?.cause ?? (state && isStale(state) ? "stale" : null);
    return {
      id,
      name,
      sections,
      // A source whose first visit is still running has neither a cause nor a success.
      state: causeKey ? "failing" : state?.lastSuccessAt ? "good" : "not-asked-yet",
      cause: causeKey && describeCause(causeKey, state?.detail ?? null),
      causeKey,
      lastSuccess: state?.lastSuccessAt ?? null,
      lastTry: state?.checkedAt ?? null,
      nextTry: state?.nextAttemptAt ?? null,
      items: state?.items ?? 0,
    };
  });
}

/** Reads a document in a worker thread, to which a copy of the bytes moves. */
export async function readInWorker<Input extends { body: Uint8Array }, Output>(
  runInWorker: RunInWorker,
  task: WorkerTask<Input, Output>,
  input: Input,
): Promise<{ kind: "read"; value: Output } | VisitFailure> {
  const body = new Uint8Array(input.body);
  const outcome = await runInWorker(task, { ...input, body }, [body.buffer]);
  if (outcome.kind === "done") return { kind: "read", value: outcome.value };
  const { kind, detail } = outcome;
  return toFailure(`${kind}-to-read`, detail);
}

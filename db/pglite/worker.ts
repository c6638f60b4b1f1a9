import { parentPort, workerData } from "node:worker_threads";
import {
  type ParserOptions,
  protocol,
  type Results,
  type Transaction,
  types,
} from "@electric-sql/pglite";
import { lowerPriority } from "./low-priority.ts";
import { createPglite, durableStartParams, parseBytes } from "./open.ts";

// The worker thread of the built-in database. worker-thread.ts starts it and sends it requests, and
// thread.ts starts a new one if it ends. Node runs this file directly; it is not part of the
// bundle.

export type ThreadData = { folder: string };

type Query = {
  text: string;
  params: unknown[];
  rowMode: "array" | "object";
  /** The Postgres type numbers of the values that the main thread wants as text. */
  asText: number[];
};

export type Request = { id: number } & (
  | ({ kind: "query"; transaction: number | null } & Query)
  | { kind: "exec"; transaction: number | null; text: string }
  /** The id of this request becomes the number of the transaction. */
  | { kind: "begin" }
  | { kind: "commit" | "rollback"; transaction: number }
  | { kind: "listen" | "unlisten"; channel: string }
  | { kind: "close" }
);

export type Reply =
  | { kind: "ready" }
  | { kind: "done"; id: number; results: Results[] }
  | { kind: "failed"; id: number; error: Record<string, string | number> }
  /** The thread is about to exit, without replies to open requests. */
  | { kind: "broken"; reason: string }
  | { kind: "notification"; channel: string; payload: string };

const port = parentPort;
if (!port)
  throw new Error("This file runs only as the database thread. Start the server with npm start.");

const post = (reply: Reply, transfer: ArrayBuffer[] = []) => port.postMessage(reply, transfer);

// Cached pages have priority over queries on machines with few processors.
if (process.platform === "linux") lowerPriority();
const { folder }: ThreadData = workerData;
const client = await createPglite({ dataDir: folder, startParams: durableStartParams });

/**
 * Exits after an error from which the database does not recover. If it could not write its
 * write-ahead log, usually because the disk is full, a statement may never return, not even the one
 * that PGlite itself sends after a failed query. If the process had no file descriptor left, some
 * tables may stay unreadable.
 */
function endIfBroken(error: unknown): never {
  if (!(error instanceof Error && /pg_wal|No file descriptors available/.test(error.message)))
    throw error;
  post({ kind: "broken", reason: error.message });
  process.exit(1);
}

/** Whether a transaction that a request to this thread has begun is still open. */
let isInTransaction = false;

const rollbackMessage = protocol.serialize.query("rollback");
const { execProtocol, execProtocolStream } = client;

/**
 * The job queue sends several statements as one query, such as "begin; …; commit;". If one of them
 * fails, the session would stay in the failed transaction and reject all following queries.
 */
async function rollBackFailedBatch(error: unknown): Promise<never> {
  if (!isInTransaction && client.isInTransaction())
    await execProtocol.call(client, rollbackMessage);
  throw error;
}

const isSimpleQuery = ([kind]: Uint8Array) => kind === "Q".charCodeAt(0);

client.execProtocol = (message, options) =>
  execProtocol.call(client, message, options).catch(endIfBroken);
client.execProtocolStream = (message, options) => {
  const result = execProtocolStream.call(client, message, options).catch(endIfBroken);
  return isSimpleQuery(message) ? result.catch(rollBackFailedBatch) : result;
};

client.onNotification((channel, payload) => post({ kind: "notification", channel, payload }));

type OpenTransaction = { begun: Promise<Transaction>; end(isCommit: boolean): Promise<void> };
const transactions = new Map<number, OpenTransaction>();

/** Begins a transaction. PGlite makes all other queries wait until it has ended. */
function begin(): OpenTransaction {
  const begun = Promise.withResolvers<Transaction>();
  const decision = Promise.withResolvers<boolean>();
  const ended = client.transaction(async (tx) => {
    isInTransaction = true;
    begun.resolve(tx);
    try {
      if (!(await decision.promise)) await tx.rollback();
    } finally {
      isInTransaction = false;
    }
  });
  ended.catch(begun.reject);
  // The next request that uses or ends the transaction gets the error.
  begun.promise.catch(() => {});
  return {
    begun: begun.promise,
    end(isCommit) {
      decision.resolve(isCommit);
      return ended;
    },
  };
}

async function getSession(id: number | null): Promise<Pick<Transaction, "query" | "exec">> {
  return id === null ? client : getTransaction(id).begun;
}

function getTransaction(id: number): OpenTransaction {
  const transaction = transactions.get(id);
  if (!transaction) throw new Error("The transaction has ended.");
  return transaction;
}

async function handleRequest(request: Request, transfer: ArrayBuffer[]): Promise<Results[]> {
  switch (request.kind) {
    case "query": {
      const { text, params, rowMode, asText } = request;
      const parsers: ParserOptions = Object.fromEntries(
        asText.map((type) => [type, (value: string) => value]),
      );
      parsers[types.BYTEA] ??= (hex) => {
        const bytes = parseBytes(hex);
        transfer.push(bytes.buffer);
        return bytes;
      };
      const session = await getSession(request.transaction);
      return [await session.query(text, params, { rowMode, parsers })];
    }
    case "exec":
      return (await getSession(request.transaction)).exec(request.text);
    case "begin": {
      const transaction = begin();
      transactions.set(request.id, transaction);
      await transaction.begun;
      return [];
    }
    case "commit":
    case "rollback": {
      const transaction = getTransaction(request.transaction);
      transactions.delete(request.transaction);
      await transaction.end(request.kind === "commit");
      return [];
    }
    case "listen":
    case "unlisten":
      return client.exec(`${request.kind} ${request.channel}`);
    case "close":
      await client.close();
      return [];
  }
}

/**
 * The fields of a database error that can be sent to another thread. The query is left out, because
 * it may contain readers' data.
 */
function toErrorFields(error: unknown): Record<string, string | number> {
  if (!(error instanceof Error)) return { message: String(error) };
  const fields = Object.entries(error).filter(
    ([name, value]) => name !== "query" && (typeof value === "string" || typeof value === "number"),
  );
  return { ...Object.fromEntries(fields), message: error.message };
}

port.on("message", async (request: Request) => {
  const { id, kind } = request;
  const transfer: ArrayBuffer[] = [];
  try {
    post({ kind: "done", id, results: await handleRequest(request, transfer) }, transfer);
  } catch (error) {
    post({ kind: "failed", id, error: toErrorFields(error) });
  }
  if (kind === "close") port.close();
});
post({ kind: "ready" });

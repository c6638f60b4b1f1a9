import { parentPort, workerData } from "node:worker_threads";
import {
  type ParserOptions,
  protocol,
  type Results,
  type Transaction,
  types,
} from "@electric-sql/pglite";
import { lowerPriority } from "./low-priority.ts";
import { createPglite, durableStartParams, readBytes } from "./open.ts";

/**
 * The thread of the built-in database. Node runs this file as it is; db/pglite/thread.ts starts it
 * and talks to it.
 */

export type ThreadData = { folder: string };

type Query = {
  text: string;
  params: unknown[];
  rowMode: "array" | "object";
  /** Types, by their number in Postgres, whose values the other side wants as text. */
  asText: number[];
};

export type Request = { id: number } & (
  | ({ kind: "query"; transaction: number | null } & Query)
  | { kind: "exec"; transaction: number | null; text: string }
  /** The id is the number of the transaction from here on. */
  | { kind: "begin" }
  | { kind: "commit" | "rollback"; transaction: number }
  | { kind: "listen" | "unlisten"; channel: string }
  | { kind: "close" }
);

export type Reply =
  | { kind: "ready" }
  | { kind: "done"; id: number; results: Results[] }
  | { kind: "failed"; id: number; error: Record<string, string | number> }
  /** The thread ends by itself, without an answer to what is open. */
  | { kind: "broken"; reason: string }
  | { kind: "notice"; channel: string; payload: string };

const port = parentPort;
if (!port) throw new Error("This file is the database's thread; start the server with npm start.");

const post = (reply: Reply, transfer: ArrayBuffer[] = []) => port.postMessage(reply, transfer);

// Pages from memory come first where there are few processors.
if (process.platform === "linux") lowerPriority();
const { folder }: ThreadData = workerData;
const client = await createPglite({ dataDir: folder, startParams: durableStartParams });

/**
 * When the database could not write its log, usually because the disk is full, its next statement
 * may never return: not even the one with which PGlite itself ends a failed query. So nothing is
 * asked of it any more.
 */
function endIfLogFailed(error: unknown): never {
  if (!(error instanceof Error && error.message.includes("pg_wal"))) throw error;
  post({ kind: "broken", reason: error.message });
  process.exit(1);
}

/** Whether a transaction is open that was begun by a message to this thread. */
let isInTransaction = false;

const rollback = protocol.serialize.query("rollback");
const { execProtocol, execProtocolStream } = client;

/**
 * The job queue sends texts such as "begin; …; commit;" in one go. When a statement in it fails,
 * the session would stay in the failed transaction, and refuse whatever comes next.
 */
async function rollBackFailedText(error: unknown): Promise<never> {
  if (!isInTransaction && client.isInTransaction()) await execProtocol.call(client, rollback);
  throw error;
}

const isText = ([kind]: Uint8Array) => kind === "Q".charCodeAt(0);

client.execProtocol = (message, options) =>
  execProtocol.call(client, message, options).catch(endIfLogFailed);
client.execProtocolStream = (message, options) => {
  const answers = execProtocolStream.call(client, message, options).catch(endIfLogFailed);
  return isText(message) ? answers.catch(rollBackFailedText) : answers;
};

client.onNotification((channel, payload) => post({ kind: "notice", channel, payload }));

type OpenTransaction = { begun: Promise<Transaction>; end(isGood: boolean): Promise<void> };
const transactions = new Map<number, OpenTransaction>();

/** PGlite keeps all other queries waiting until the transaction has ended. */
function begin(): OpenTransaction {
  const begun = Promise.withResolvers<Transaction>();
  const decided = Promise.withResolvers<boolean>();
  const ended = client.transaction(async (tx) => {
    isInTransaction = true;
    begun.resolve(tx);
    try {
      if (!(await decided.promise)) await tx.rollback();
    } finally {
      isInTransaction = false;
    }
  });
  ended.catch(begun.reject);
  // Whoever uses or ends the transaction gets the error.
  begun.promise.catch(() => {});
  return {
    begun: begun.promise,
    end(isGood) {
      decided.resolve(isGood);
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
        const bytes = readBytes(hex);
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
 * What can be sent to another thread: the fields of a database error, without the functions and
 * values of the query.
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

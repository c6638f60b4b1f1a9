import { existsSync } from "node:fs";
import { chmod, mkdir, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { hasErrorCode } from "../../app/lib/error-code.ts";
import { errorMessage } from "../../app/lib/log.ts";
import type { Caller, ProgressStep } from "../../app/platform/command.ts";
import { toFolderError } from "./known-errors.ts";
import { type Lock, tryLock } from "./lock.ts";
import { SetupError } from "./setup-error.ts";

/**
 * The result of an attempt to become the only process that uses a data folder. That process holds a
 * lock and listens for commands on a Unix socket. The lock file and the socket are in the folder
 * itself, so that every process finds them, regardless of its TMPDIR and container.
 */
type Claim = { kind: "ours"; folder: HeldFolder } | { kind: "in use"; socket: Socket };

/** A data folder that this process holds: no other process uses it until it is released. */
export type HeldFolder = {
  /** Runs commands from now on, including those that arrived earlier and have been waiting. */
  runCommandsWith(run: RunCommand): void;
  /** Closes the command socket and releases the lock. */
  release(): Promise<void>;
};

export type RunCommand = (argv: string[], caller: Caller) => Promise<number>;

/** The longest path that a Unix socket can have on every system, without the final NUL. */
const maxSocketPathBytes = 103;

/** How long the holder of a lock may take to open its socket, or to exit after closing it. */
const defaultHolderTimeoutMs = 10_000;
const retryMs = 100;
/**
 * How long a command waits until the server accepts it. A server does so as soon as its event loop
 * is free, even while it is still starting.
 */
const acceptTimeoutMs = 15_000;

const commandSchema = z.object({
  argv: z.array(z.string()),
  cwd: z.string(),
  columns: z.number().int().positive().nullable().default(null),
  isOffline: z.boolean().default(false),
  /** Whether a person can confirm what the command is about to do. */
  canConfirm: z.boolean().default(false),
});
type CommandRequest = z.output<typeof commandSchema>;
type SentRequest = Required<z.input<typeof commandSchema>>;
const confirmationSchema = z.object({ isConfirmed: z.boolean() });
const replySchema = z.union([
  /** Says that the holder has received the command. */
  z.object({ accepted: z.literal(true) }),
  z.object({ line: z.string() }),
  z.object({ question: z.string() }),
  z.object({ step: z.object({ done: z.number(), all: z.number(), what: z.string() }) }),
  z.object({ exit: z.number().int() }),
  z.object({ result: z.unknown() }),
]);
type Reply = z.input<typeof replySchema>;

const socketName = "newsroom.sock";
const lockName = "newsroom.lock";

/** Connects to the process that uses the folder, or returns null. */
export const connectToHolder = (dataDir: string): Promise<Socket | null> =>
  tryConnect(socketPath(dataDir));

/**
 * Creates a folder and those above it. Only the owner can read them, because they contain readers'
 * email addresses. The recursive mkdir of Node never returns in a folder that refuses new folders
 * with ENOENT, as /proc does.
 */
async function createFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  await createFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    // Another process has created it in the meantime.
    if (!hasErrorCode(error, "EEXIST")) throw error;
  });
}

/** Makes this process the only one that uses the folder, or connects to the process that does. */
export async function claimDataFolder(
  dataDir: string,
  holderTimeoutMs = defaultHolderTimeoutMs,
): Promise<Claim> {
  const path = socketPath(dataDir);
  const lockFile = join(dataDir, lockName);
  try {
    await createFolder(dataDir);
    const deadline = performance.now() + holderTimeoutMs;
    for (;;) {
      const socket = await tryConnect(path);
      if (socket) return { kind: "in use", socket };
      const lock = await tryLock(lockFile);
      if (lock) return { kind: "ours", folder: await openCommandSocket(path, lock) };
      if (performance.now() > deadline)
        throw new SetupError(
          `A process holds ${lockFile} but does not respond on ${socketName} in the same folder. Find the process with "fuser -v ${lockFile}", stop it, and try again.`,
        );
      await pause(retryMs);
    }
  } catch (error) {
    throw toFolderError(dataDir, error) ?? error;
  }
}

/** Claims the folder for a server. A service manager starts the server again until it is free. */
export async function claimDataFolderForServer(dataDir: string): Promise<HeldFolder> {
  const claim = await claimDataFolder(dataDir);
  if (claim.kind === "ours") return claim.folder;
  claim.socket.destroy();
  throw new SetupError(
    `${dataDir} is in use by a running server or command. Stop it, or set DATA_DIR to another folder.`,
  );
}

/** Listens for commands. They wait until `runCommandsWith` says how they are run. */
async function openCommandSocket(path: string, lock: Lock): Promise<HeldFolder> {
  const runner = Promise.withResolvers<RunCommand>();
  const connections = new Set<Socket>();

  async function runForCaller(
    send: (reply: Reply) => void,
    lines: AsyncIterator<string>,
    { argv, cwd, columns, isOffline, canConfirm }: CommandRequest,
  ): Promise<void> {
    const print = (line: string) => send({ line });
    const ask = async (question: string) => {
      send({ question });
      const answer = await lines.next();
      // A caller that has disconnected has not confirmed.
      return !answer.done && confirmationSchema.parse(JSON.parse(answer.value)).isConfirmed;
    };
    send({ accepted: true });
    const runCommand = await runner.promise;
    const result = (value: unknown) => send({ result: value });
    const progress = (step: ProgressStep) => send({ step });
    const confirm = canConfirm ? ask : null;
    send({
      exit: await runCommand(argv, { print, result, progress, cwd, columns, isOffline, confirm }),
    });
  }

  async function handleConnection(connection: Socket): Promise<void> {
    const send = (reply: Reply) => sendLine(connection, reply);
    try {
      const lines = readLines(connection)[Symbol.asyncIterator]();
      const first = await lines.next();
      if (first.done) return;
      await runForCaller(send, lines, commandSchema.parse(JSON.parse(first.value)));
    } catch (error) {
      send({ line: `The command failed: ${errorMessage(error)}` });
      send({ exit: 1 });
    }
    connection.end();
  }

  const server = createServer((connection) => {
    connections.add(connection);
    connection.on("close", () => connections.delete(connection));
    // The caller may disconnect at any time; its command continues.
    connection.on("error", () => connection.destroy());
    handleConnection(connection);
  });
  try {
    // We hold the lock, so a socket that still exists belongs to a process that has ended.
    await rm(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      // This handler stays for the lifetime of the server. A connection that cannot be accepted,
      // for example because too many files are open, also emits an error event, and an error event
      // without a handler ends the process.
      server.on("error", reject);
      server.listen(path, resolve);
    });
    await chmod(path, 0o600);
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    runCommandsWith: runner.resolve,
    release: () =>
      new Promise((resolve) => {
        server.close(() => {
          // The lock is released last, because the next holder of the lock removes our socket.
          lock.release();
          resolve();
        });
        for (const connection of connections) connection.destroy();
      }),
  };
}

const sendLine = (socket: Socket, message: object) => socket.write(`${JSON.stringify(message)}\n`);

/**
 * Sends a command to the process that holds the folder, prints its lines as they arrive, and
 * returns its exit code.
 */
export async function sendCommand(
  socket: Socket,
  argv: string[],
  {
    print,
    result,
    progress,
    cwd = process.cwd(),
    columns = null,
    isOffline = false,
    confirm = null,
  }: Pick<Caller, "print"> & Partial<Caller>,
): Promise<number> {
  let isAccepted = false;
  const silenceTimer = setTimeout(() => socket.destroy(), acceptTimeoutMs);
  const canConfirm = confirm !== null;
  sendLine(socket, { argv, cwd, columns, isOffline, canConfirm } satisfies SentRequest);
  try {
    for await (const line of readLines(socket)) {
      isAccepted = true;
      clearTimeout(silenceTimer);
      const message = replySchema.parse(JSON.parse(line));
      if ("exit" in message) {
        socket.end();
        return message.exit;
      }
      if ("question" in message)
        sendLine(socket, {
          isConfirmed: (await confirm?.(message.question)) ?? false,
        } satisfies z.input<typeof confirmationSchema>);
      else if ("step" in message) progress?.(message.step);
      else if ("result" in message) result?.(message.result);
      else if ("line" in message) print(message.line);
    }
  } catch (error) {
    if (!hasErrorCode(error, "ECONNRESET") && !hasErrorCode(error, "EPIPE")) throw error;
  } finally {
    clearTimeout(silenceTimer);
  }
  print(
    isAccepted
      ? "The server stopped before the command finished. Run the command again."
      : "The server did not accept the command. It may be stopping or hanging. Check its log.",
  );
  return 1;
}

/**
 * Reads the lines that the other side sends. Errors of the socket, which can occur at any time, are
 * thrown to the code that iterates over the lines.
 */
function readLines(socket: Socket) {
  const lines = createInterface({ input: socket });
  lines.on("error", () => socket.destroy());
  // A destroyed socket emits no end event that the interface would notice.
  socket.once("close", () => lines.close());
  return lines;
}

/**
 * Returns the path of the socket in the data folder. The path of a Unix socket must be short, so a
 * long one is written relative to the working directory.
 */
function socketPath(dataDir: string): string {
  const path = join(dataDir, socketName);
  const usablePath = [path, relative(process.cwd(), path)].find(
    (each) => Buffer.byteLength(each) <= maxSocketPathBytes,
  );
  if (usablePath === undefined)
    throw new SetupError(
      `The path of the data folder is too long for a Unix socket: ${dataDir}. Set DATA_DIR to a path of at most ${maxSocketPathBytes - socketName.length - 1} bytes.`,
    );
  return usablePath;
}

/**
 * Connects to the socket. Returns null only if no process listens, because any other error could
 * hide a running server, whose folder must be left alone.
 */
function tryConnect(path: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    // The handler stays, because errors can occur later too. `readLines` reports those as well.
    socket.on("error", (error) => {
      if (hasErrorCode(error, "ENOENT") || hasErrorCode(error, "ECONNREFUSED")) resolve(null);
      else reject(error);
    });
    socket.once("connect", () => resolve(socket));
  });
}

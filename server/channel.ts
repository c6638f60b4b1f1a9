import { createHash } from "node:crypto";
import { chmod, mkdir, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { z } from "zod";
import { faultText } from "../app/lib/log.ts";
import { hasCode, withLock } from "./lock.ts";
import type { Caller } from "./newsroom/commands.ts";

/**
 * One Unix socket in the data folder is both the lock on that folder and the way to whoever holds it: if it answers,
 * the folder is in use and takes commands; if it refuses, nobody is there any more.
 */
export type Claim = { kind: "ours"; channel: Channel } | { kind: "taken"; socket: Socket };

export type Channel = {
  /** From now on commands are answered; those that came earlier have waited for it. */
  answerWith(run: RunCommand): void;
  release(): Promise<void>;
};

export type RunCommand = (argv: string[], caller: Caller) => Promise<number>;

/** The longest path a Unix socket may have, with room for the ending NUL on every system. */
const maxSocketPath = 103;

const request = z.object({
  argv: z.array(z.string()),
  cwd: z.string(),
  columns: z.number().int().positive().nullable().default(null),
  /** Whether a person is there to confirm what a command is about to do. */
  canConfirm: z.boolean().default(false),
});
/** What the other side sends after a question. */
const confirmation = z.object({ isConfirmed: z.boolean() });
const reply = z.union([
  z.object({ line: z.string() }),
  z.object({ question: z.string() }),
  z.object({ step: z.object({ done: z.number(), all: z.number(), what: z.string() }) }),
  z.object({ exit: z.number().int() }),
]);

export async function claimDataFolder(dataDir: string): Promise<Claim> {
  // Readers' e-mail addresses are in there: the owner's eyes only.
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = socketPath(dataDir);
  return withLock(`${path}.lock`, async () => {
    const socket = await tryConnect(path);
    if (socket) return { kind: "taken", socket };
    await rm(path, { force: true });
    return { kind: "ours", channel: await openChannel(path) };
  });
}

async function openChannel(path: string): Promise<Channel> {
  const runner = Promise.withResolvers<RunCommand>();
  const callers = new Set<Socket>();
  const server = createServer((caller) => {
    callers.add(caller);
    caller.on("close", () => callers.delete(caller));
    // The other side may leave at any time; its command goes on.
    caller.on("error", () => caller.destroy());
    const lines = createInterface({ input: caller });
    // The interface passes the errors of its input on, and one that nobody handles would end the server.
    lines.on("error", () => caller.destroy());
    lines.once("line", async (line) => answer(caller, lines, line, await runner.promise));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  return {
    answerWith: runner.resolve,
    release: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const caller of callers) caller.destroy();
      }),
  };
}

async function answer(caller: Socket, lines: Interface, line: string, run: RunCommand): Promise<void> {
  const send = (message: z.input<typeof reply>) => caller.write(`${JSON.stringify(message)}\n`);
  try {
    const { argv, cwd, columns, canConfirm } = request.parse(JSON.parse(line));
    const print = (text: string) => send({ line: text });
    const ask = (question: string) => {
      send({ question });
      return readConfirmation(caller, lines);
    };
    const confirm = canConfirm ? ask : null;
    send({ exit: await run(argv, { print, progress: (step) => send({ step }), cwd, columns, confirm }) });
  } catch (error) {
    send({ line: `The command failed: ${faultText(error)}` });
    send({ exit: 1 });
  }
  caller.end();
}

/** A caller who leaves, or sends anything else, has not confirmed. */
function readConfirmation(caller: Socket, lines: Interface): Promise<boolean> {
  return new Promise((resolve) => {
    caller.once("close", () => resolve(false));
    lines.once("line", (line) => {
      try {
        resolve(confirmation.parse(JSON.parse(line)).isConfirmed);
      } catch {
        resolve(false);
      }
    });
  });
}

/** Sends a command to whoever holds the folder, prints its lines as they come, and gives its exit code. */
export async function sendCommand(
  socket: Socket,
  argv: string[],
  print: Caller["print"],
  { progress, cwd = process.cwd(), columns = null, confirm = null }: Partial<Omit<Caller, "print">> = {},
): Promise<number> {
  const send = (message: object) => socket.write(`${JSON.stringify(message)}\n`);
  send({ argv, cwd, columns, canConfirm: confirm !== null });
  try {
    for await (const line of createInterface({ input: socket })) {
      const message = reply.parse(JSON.parse(line));
      if ("exit" in message) {
        socket.end();
        return message.exit;
      }
      if ("question" in message) send({ isConfirmed: (await confirm?.(message.question)) ?? false });
      else if ("step" in message) progress?.(message.step);
      else print(message.line);
    }
  } catch (error) {
    if (!hasCode(error, "ECONNRESET") && !hasCode(error, "EPIPE")) throw error;
  }
  print("The server stopped before the command was done.");
  return 1;
}

function socketPath(dataDir: string): string {
  const path = join(dataDir, "newsroom.sock");
  if (Buffer.byteLength(path) <= maxSocketPath) return path;
  const name = createHash("sha256").update(path).digest("hex").slice(0, 16);
  return join(tmpdir(), `harborline-${name}.sock`);
}

function tryConnect(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(socket));
    socket.once("error", () => resolve(null));
  });
}

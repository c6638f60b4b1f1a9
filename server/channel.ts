import { createHash } from "node:crypto";
import { chmod, mkdir, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";

/**
 * One Unix socket in the data folder is both the lock on that folder and the way to whoever holds it: if it answers,
 * a server is running and takes commands; if it refuses, nobody is there any more.
 */
export type Claim =
  | { kind: "ours"; server: Server; release(): Promise<void> }
  | { kind: "taken"; socket: Socket };

/** The longest path a Unix socket may have, on Linux and a little more than on macOS. */
const maxSocketPath = 103;

const request = z.object({ argv: z.array(z.string()) });
const reply = z.union([z.object({ line: z.string() }), z.object({ exit: z.number().int() })]);

type RunCommand = (argv: string[], print: (line: string) => void) => Promise<number>;

export async function claimDataFolder(dataDir: string): Promise<Claim> {
  await mkdir(dataDir, { recursive: true });
  const path = socketPath(dataDir);
  const socket = await tryConnect(path);
  if (socket) return { kind: "taken", socket };
  await rm(path, { force: true });
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  const release = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { kind: "ours", server, release };
}

/** Answers commands on the claimed socket. */
export function answerCommands(server: Server, run: RunCommand): void {
  server.on("connection", (socket) => {
    const send = (message: z.input<typeof reply>) => socket.write(`${JSON.stringify(message)}\n`);
    // The other side may leave at any time; its command goes on.
    socket.on("error", () => socket.destroy());
    createInterface({ input: socket }).once("line", async (line) => {
      try {
        const { argv } = request.parse(JSON.parse(line));
        send({ exit: await run(argv, (text) => send({ line: text })) });
      } catch (error) {
        send({ line: `The command failed: ${error instanceof Error ? error.message : String(error)}` });
        send({ exit: 1 });
      }
      socket.end();
    });
  });
}

/** Sends a command to the running server, prints its lines as they come, and gives its exit code. */
export async function sendCommand(
  socket: Socket,
  argv: string[],
  print: (line: string) => void,
): Promise<number> {
  socket.write(`${JSON.stringify({ argv })}\n`);
  for await (const line of createInterface({ input: socket })) {
    const message = reply.parse(JSON.parse(line));
    if ("exit" in message) {
      socket.end();
      return message.exit;
    }
    print(message.line);
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

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, stat, symlink, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { DrizzleQueryError } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../tests/support/server.ts";
import {
  claimDataFolder,
  claimDataFolderForServer,
  type HeldFolder,
  type RunCommand,
  sendCommand,
} from "./command-socket.ts";
import { tryLock } from "./lock.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let children: ChildProcess[];
beforeEach(async () => {
  folder = await temporaryFolder();
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await folder.remove();
});

async function claimFolder(): Promise<HeldFolder> {
  const claim = await claimDataFolder(folder.path);
  if (claim.kind !== "ours") throw new Error("the folder is in use");
  return claim.folder;
}

async function connectToHolder(): Promise<Socket> {
  const claim = await claimDataFolder(folder.path);
  if (claim.kind !== "in use") throw new Error("no process responds");
  return claim.socket;
}

/** Commands that use the connection in different ways. */
const commandKinds: Record<string, RunCommand> = {
  "prints a lot": async (_argv, { print }) => {
    for (let line = 0; line < 300; line += 1) print("x".repeat(1_000));
    return 0;
  },
  "reports its progress": async (_argv, { print, progress }) => {
    print("begin");
    for (let done = 0; done < 300; done += 1) progress({ done, all: 300, what: "x".repeat(1_000) });
    return 0;
  },
  "prints after a while": async (_argv, { print }) => {
    print("begin");
    await new Promise((resolve) => setTimeout(resolve, 20));
    print("end");
    return 0;
  },
  fails: async () => {
    throw new Error("no luck");
  },
};

const request = `${JSON.stringify({ argv: ["validate"], cwd: "." })}\n`;

/** The moments at which `newsroom … | head` or a closed terminal can close the connection. */
const disconnections: Record<string, (socket: Socket) => unknown> = {
  "before the request": () => {},
  "after half a request": (socket) => socket.write(request.slice(0, 10)),
  "after the request": (socket) => socket.write(request),
  "after the first line": async (socket) => {
    socket.write(request);
    await once(socket, "readable");
  },
  "in the middle": async (socket) => {
    socket.write(request);
    await once(socket, "data");
    await once(socket, "data");
  },
  "after the end": async (socket) => {
    socket.write(request);
    await once(socket.resume(), "end");
  },
};

describe.each(Object.entries(commandKinds))("a server with a command that %s", (_kind, run) => {
  it("survives a caller that disconnects at any moment", async () => {
    const heldFolder = await claimFolder();
    heldFolder.runCommandsWith(run);
    for (const [moment, disconnect] of Object.entries(disconnections)) {
      const socket = await connectToHolder();
      const closed = once(socket, "close");
      await Promise.race([disconnect(socket), closed]);
      // If lines are unread, the other side gets the error ECONNRESET.
      socket.destroy();
      await closed;
      expect(socket.destroyed, moment).toBe(true);
    }
    const lines: string[] = [];
    expect(
      await sendCommand(await connectToHolder(), ["validate"], {
        print: (line) => lines.push(line),
      }),
    ).toBeTypeOf("number");
    expect(lines.length).toBeGreaterThan(0);
    await heldFolder.release();
  });
});

/**
 * Starts another process that claims the folder, prints the result, and runs until it is killed.
 */
async function claimInAnotherProcess(dataDir: string, env: Record<string, string> = {}) {
  const program = `
    const { claimDataFolder } = await import(${JSON.stringify(resolve("server/process/command-socket.ts"))});
    const claim = await claimDataFolder(process.argv[1]);
    console.log(claim.kind);
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, dataDir], {
    cwd: dataDir,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const ended = once(child, "exit");
  const [kind] = await once(createInterface({ input: child.stdout }), "line");
  return {
    kind,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

describe("the data folder", () => {
  it.each([
    ["an empty lock file, as left by a full disk", "newsroom.lock", ""],
    ["a file where the socket should be", "newsroom.sock", "x"],
  ])("can be claimed at once despite %s", async (_what, name, content) => {
    await writeFile(join(folder.path, name), content);
    await (await claimFolder()).release();
  });

  it("belongs to one process, even if TMPDIR differs and the path is long", async () => {
    const longPath = join(folder.path, "d".repeat(100));
    await mkdir(join(longPath, "tmp"), { recursive: true });
    const first = await claimInAnotherProcess(longPath);
    const second = await claimInAnotherProcess(longPath, { TMPDIR: join(longPath, "tmp") });
    expect([first.kind, second.kind]).toEqual(["ours", "in use"]);
    await second.kill();
    await first.kill();
    // From this working directory the path has no short relative form.
    await expect(claimDataFolder(longPath)).rejects.toThrow(
      /too long .* Set DATA_DIR to a path of at most/,
    );
  });

  it("goes to exactly one of many claimants after its holder was killed", async () => {
    const holder = await claimInAnotherProcess(folder.path);
    await holder.kill();
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimDataFolder(folder.path)));
    const owners = claims.flatMap((claim) => (claim.kind === "ours" ? [claim.folder] : []));
    expect(owners).toHaveLength(1);
    for (const claim of claims) if (claim.kind === "in use") claim.socket.destroy();
    await owners[0]?.release();
  });

  it("stays with a holder that does not respond, and the error names the lock file", async () => {
    const lock = await tryLock(join(folder.path, "newsroom.lock"));
    const claim = claimDataFolder(folder.path, 200);
    await expect(claim).rejects.toThrow(`A process holds ${join(folder.path, "newsroom.lock")}`);
    lock?.release();
  });

  it("is closed to other users of the machine from the beginning", async () => {
    const path = join(folder.path, "new");
    const claim = await claimDataFolder(path);
    if (claim.kind !== "ours") return expect.unreachable();
    expect((await stat(path)).mode & 0o077).toBe(0);
    await claim.folder.release();
  });

  it("cannot be claimed where no folder can be created, and the error says what to do", async () => {
    const file = join(folder.path, "file");
    await writeFile(file, "");
    await expect(claimDataFolder("/proc/no/data")).rejects.toThrow(
      "Could not use the data folder /proc/no/data",
    );
    await expect(claimDataFolder(join(file, "no"))).rejects.toThrow(
      `Could not use the data folder ${file}/no: a part of its path is a file, not a folder. Correct this, or set DATA_DIR to another folder.`,
    );
  });

  it("is left alone if we cannot know whether a server listens", async () => {
    await symlink("newsroom.sock", join(folder.path, "newsroom.sock"));
    await expect(claimDataFolder(folder.path)).rejects.toThrow("too many symbolic links");
  });

  it("is refused to a server while another process uses it", async () => {
    const server = await claimDataFolderForServer(folder.path);
    await expect(claimDataFolderForServer(folder.path)).rejects.toThrow(
      "is in use by a running server",
    );
    await server.release();
  });
});

describe("the command socket", () => {
  it("accepts a command while the server is starting, and closes although a caller is idle", async () => {
    const heldFolder = await claimFolder();
    const [caller, idleCaller] = [await connectToHolder(), await connectToHolder()];
    const lines: string[] = [];
    const earlyCommand = sendCommand(caller, ["greet"], { print: (line) => lines.push(line) });
    heldFolder.runCommandsWith(async ([name = ""], { print }) => {
      print(`hello, ${name}`);
      return 7;
    });
    expect(await earlyCommand).toBe(7);
    expect(lines).toEqual(["hello, greet"]);
    const closed = once(idleCaller, "close");
    await heldFolder.release();
    await closed;
  });

  it("tells the server that a command was typed with OFFLINE=1", async () => {
    const heldFolder = await claimFolder();
    heldFolder.runCommandsWith(async (_argv, { isOffline }) => (isOffline ? 1 : 0));
    const run = async (isOffline: boolean) =>
      sendCommand(await connectToHolder(), ["links"], { print() {}, isOffline });
    expect([await run(true), await run(false)]).toEqual([1, 0]);
    await heldFolder.release();
  });

  it("reports why a command failed without the email addresses in its queries, and counts a disconnect as a no", async () => {
    const heldFolder = await claimFolder();
    const confirmed = Promise.withResolvers<boolean | undefined>();
    heldFolder.runCommandsWith(async ([name], { confirm }) => {
      if (name === "ask") confirmed.resolve(await confirm?.("Really?"));
      throw new DrizzleQueryError(
        "delete from t where email = $1",
        ["ann@example.com"],
        new Error("disk full"),
      );
    });
    const lines: string[] = [];
    expect(
      await sendCommand(await connectToHolder(), ["fail"], { print: (line) => lines.push(line) }),
    ).toBe(1);
    expect(lines).toEqual(["The command failed: The database query failed: disk full."]);
    const leaving = await connectToHolder();
    // Not awaited, because this side of a destroyed socket receives nothing more.
    sendCommand(leaving, ["ask"], {
      print() {},
      async confirm() {
        leaving.destroy();
        return true;
      },
    });
    expect(await confirmed.promise).toBe(false);
    await heldFolder.release();
  });
});

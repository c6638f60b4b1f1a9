import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimDataFolder, findHolder, sendCommand } from "../../server/process/channel.ts";
import { createDataFolder } from "../support/data-folder.ts";
import { runInServer } from "../support/newsroom.ts";
import { startServer } from "../support/server.ts";

let folder: Awaited<ReturnType<typeof createDataFolder>>;
beforeAll(async () => {
  folder = await createDataFolder();
  await cp("sites/baltimore", join(folder.path, "sites/testville"), { recursive: true });
});
afterAll(() => folder.remove());

type Outcome = { code: number; output: string };
type CommandResult = Outcome & { stdout: string };

const newsroom = (...args: string[]) =>
  runProgram(
    { ...process.env, DATA_DIR: folder.path, SITES_DIR: join(folder.path, "sites") },
    ...args,
  );

function runProgram(env: NodeJS.ProcessEnv, ...args: string[]): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["cli/newsroom.ts", ...args], { env }, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : 0;
      resolve({ code, output: stdout + stderr, stdout });
    });
  });
}

/** Changes a site file while `work` runs, and restores it afterwards. */
async function withEdit<T>(
  file: string,
  from: string,
  to: string,
  work: () => Promise<T>,
): Promise<T> {
  const path = join(folder.path, "sites/testville", file);
  const source = await readFile(path, "utf8");
  await writeFile(path, source.replace(from, to));
  const result = await work();
  await writeFile(path, source);
  return result;
}

const withMistake = <T>(use: () => Promise<T>) =>
  withEdit("donation.yaml", "frequency: every-load", "frequency: hourly", use);

const startTestServer = () =>
  startServer({ DATA_DIR: folder.path, SITES_DIR: join(folder.path, "sites") });

describe.each(["without a server", "with a running server"])(
  "the newsroom program %s",
  (condition) => {
    let stop: (() => Promise<unknown>) | undefined;
    beforeAll(async () => {
      if (condition === "with a running server") stop = (await startTestServer()).stop;
    });
    afterAll(() => stop?.());

    it("reports that a city without mistakes is valid", async () => {
      const { code, output } = await newsroom("validate");
      expect(output).toContain("✓ about.yaml");
      expect(output).toMatch(/All \d+ files are valid\./);
      expect(code).toBe(0);
    });

    it("finds a mistake in a file on disk, and fails", async () => {
      const { code, output } = await withMistake(() => newsroom("validate"));
      expect(output).toContain("✗ donation.yaml");
      expect(output).toContain("    Line 3: frequency must be one of ");
      expect(code).toBe(1);
    });
  },
);

describe("the newsroom program with a running server", () => {
  let stop: () => Promise<unknown>;
  beforeAll(async () => {
    stop = (await startTestServer()).stop;
  });
  afterAll(() => stop());

  const newsroom = (...args: string[]) => runInServer(folder.path, args);

  it("finds a story that the home page names but that does not exist", async () => {
    const { code, output } = await withEdit(
      "home.yaml",
      "# featured: [my-story, another-story]",
      "featured: [no-such-story]",
      () => newsroom("validate"),
    );
    expect(output).toContain(
      "✗ home.yaml\n    Line 23: featured names no-such-story, but there is no news/no-such-story.md.",
    );
    expect(code).toBe(1);
  });

  it("notes what an ad loader means for readers, but accepts it", async () => {
    const loader =
      'loader: { script: "https://a.example/{slot}", hosts: ["https://a.example"] }\nhouse:';
    const { code, output } = await withEdit("ads.yaml", "house:", loader, () =>
      newsroom("validate"),
    );
    expect(output).toContain("note: an ad loader is set");
    expect(code).toBe(0);
  });

  it("checks the entire installation, and fails if something does not work", async () => {
    const healthy = await newsroom("doctor", "--json");
    expect(healthy.code).toBe(0);
    const { ok, findings }: { ok: boolean; findings: { about: string; state: string }[] } =
      JSON.parse(healthy.output);
    expect(ok).toBe(true);
    const states = Object.fromEntries(findings.map(({ about, state }) => [about, state]));
    expect(states).toMatchObject({
      program: "good",
      server: "good",
      "data folder": "good",
      "city's files": "good",
      database: "good",
      clock: "good",
      jobs: "good",
      radio: "good",
      address: "warning",
      mail: "warning",
      backup: "warning",
    });
    const { code, output } = await withMistake(() => newsroom("doctor"));
    expect(output).toMatch(
      /^✗ city's files +1 file has problems: donation.yaml\.\n +→ Run ".*validate"/m,
    );
    expect(output).toContain("Found 1 error and ");
    expect(code).toBe(1);
    // A command that does not need the file still works.
    expect((await withMistake(() => newsroom("feeds", "list"))).output).toContain("baltimore-brew");
  });

  it("survives a caller that disconnects at any moment during any command", async () => {
    const commands: { name: string; examples: string[] }[] = JSON.parse(
      (await newsroom("help", "--json")).output,
    );
    expect(commands.length).toBeGreaterThan(10);
    const helpCommands = commands.map(({ name }) => [name, "--help"]);
    const disconnectAfter = async (
      argv: string[],
      messages: number,
      sentChars = Number.POSITIVE_INFINITY,
    ) => {
      const socket = (await findHolder(folder.path)) ?? expect.unreachable();
      const closed = once(socket, "close");
      socket.write(`${JSON.stringify({ argv, cwd: "." })}\n`.slice(0, sentChars));
      for (let received = 0; received < messages; received += 1)
        await Promise.race([once(socket, "data"), closed]);
      socket.destroy();
      await closed;
    };
    for (const argv of [...helpCommands, ["validate"], ["no-such-command"]]) {
      await disconnectAfter(argv, 0, 0);
      await disconnectAfter(argv, 0, 10);
      await disconnectAfter(argv, 0);
      await disconnectAfter(argv, 1);
      await disconnectAfter(argv, 2);
    }
    // With `newsroom validate | head -1` the pipe closes, and the program ends.
    const headCommand = ["-c", `"${process.execPath}" cli/newsroom.ts validate | head -1`];
    const { stdout } = await promisify(execFile)("sh", headCommand, {
      env: { ...process.env, DATA_DIR: folder.path },
    });
    expect(stdout).toContain("✓ ");
    expect((await newsroom("validate")).code).toBe(0);
  });

  it("uses a socket that only its owner can open", async () => {
    const { mode } = await stat(join(folder.path, "newsroom.sock"));
    expect(mode & 0o777).toBe(0o600);
  });

  it("prints help with examples", async () => {
    expect(await newsroom()).toMatchObject({
      code: 0,
      output: expect.stringContaining("Content:"),
    });
    expect(await newsroom("help", "validate")).toMatchObject({
      code: 0,
      output: expect.stringContaining("./newsroom validate"),
    });
  });

  it("has every command that the operations guide mentions", async () => {
    const guide = await readFile("docs/operations.md", "utf8");
    const mentionedCommands = new Set(
      [...guide.matchAll(/\.?\/newsroom ([a-z]+(?: [a-z]+)?)(?=[ `\n])/g)].map(
        ([, command = ""]) => command,
      ),
    );
    expect(mentionedCommands.size).toBeGreaterThan(20);
    const commands: { name: string; examples: string[] }[] = JSON.parse(
      (await newsroom("help", "--json")).output,
    );
    const available = commands.flatMap(({ name, examples }) => [
      name,
      ...examples.map((example) => example.split(" ").slice(0, 2).join(" ")),
    ]);
    expect(
      [...mentionedCommands].filter(
        (command) => !["help", "help events", ...available].includes(command),
      ),
    ).toEqual([]);
  });

  it.each(["frobnicate", "validate about.yaml", "help frobnicate"])(
    "exits with code 2 for the invalid command %j",
    async (command) => {
      expect((await newsroom(...command.split(" "))).code).toBe(2);
    },
  );
});

describe("the newsroom program", () => {
  it("prints colors if the environment asks for them", async () => {
    const env = { ...process.env, DATA_DIR: folder.path, SITES_DIR: join(folder.path, "sites") };
    const colored = await runProgram({ ...env, FORCE_COLOR: "1", NO_COLOR: undefined }, "validate");
    expect(colored.output).toContain("\u001b[32m✓\u001b[39m about.yaml");
  });

  it("does not silently create a second database in a wrong data folder", async () => {
    const elsewhere = join(folder.path, "elsewhere");
    const env = { ...process.env, DATA_DIR: elsewhere, SITES_DIR: join(folder.path, "sites") };
    const { code, output } = await runProgram(env, "messages", "list");
    expect(output).toContain(`There is no database in the data folder ${elsewhere}.`);
    expect(output).toContain("--new-database");
    expect(code).toBe(1);
    await expect(stat(elsewhere)).rejects.toThrow("ENOENT");
  });

  it("runs doctor even if the data folder cannot be used", async () => {
    const file = join(folder.path, "file");
    await writeFile(file, "");
    const env = { ...process.env, DATA_DIR: file, SITES_DIR: join(folder.path, "sites") };
    const { code, output } = await runProgram(env, "doctor");
    expect(output).toMatch(
      /^✗ data folder +.*file is not a folder\.\n +→ Set DATA_DIR to another path\.$/m,
    );
    expect(output).toMatch(/^✗ database +Could not open the database: /m);
    expect(output).toMatch(/^✓ city's files /m);
    expect(code).toBe(1);
  });

  it("finds broken external links, and sample links to replace before launch", async () => {
    const webServer = createServer((request, response) => {
      if (request.url === "/no-head" && request.method === "HEAD") response.writeHead(405).end();
      else response.writeHead(request.url === "/dead" ? 404 : 200).end();
    }).listen(0, "127.0.0.1");
    await once(webServer, "listening");
    const address = webServer.address();
    const host = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const city = join(folder.path, "links/testville");
    await cp("sites/baltimore", city, { recursive: true });
    const story = join(city, "news/duckpins.md");
    await writeFile(
      story,
      `${await readFile(story, "utf8")}\n[a](${host}/dead) [b](${host}/no-head) [c](${host}/good)\n`,
    );
    const env = {
      ...process.env,
      DATA_DIR: join(folder.path, "links-data"),
      SITES_DIR: join(folder.path, "links"),
      // No other server gets a request, no matter which URLs the files contain.
      OFFLINE: "1",
      FETCH_ALLOW: new URL(host).host,
    };
    const { code, output } = await runProgram(env, "links", "check");
    webServer.close();
    expect(output).toContain(`✗ ${host}/dead\n    responds with status 404 (news/duckpins.md)`);
    expect(output).toContain("sample link: replace it before launch");
    expect(output).toMatch(
      /\n2 working, 1 broken, \d+ sample links\.\n! \d+ links were not checked because OFFLINE=1 is set\./,
    );
    // The output includes the progress bar.
    expect(output).toMatch(/\[#{20}\] (\d+)\/\1/);
    expect(code).toBe(1);
  });
});

describe("the socket in the data folder", () => {
  it("has one owner, no matter how many processes claim it at the same time", async () => {
    for (let round = 0; round < 5; round += 1) {
      const claims = await Promise.all(
        Array.from({ length: 6 }, () => claimDataFolder(folder.path)),
      );
      expect(claims.filter(({ kind }) => kind === "ours")).toHaveLength(1);
      for (const claim of claims) {
        if (claim.kind === "in use") claim.socket.destroy();
      }
      for (const claim of claims) if (claim.kind === "ours") await claim.channel.release();
    }
  });

  it("tells a second command that another one is running, instead of waiting forever", async () => {
    const listCommand = ["messages", "list"];
    const outcomes = await Promise.all([
      newsroom(...listCommand),
      newsroom(...listCommand),
      newsroom(...listCommand, "--json"),
    ]);
    const successfulOutcomes = outcomes.filter(({ code }) => code === 0);
    const refusedOutcomes = outcomes.filter(({ output }) =>
      /Another command is using|has just started on/.test(output),
    );
    expect(successfulOutcomes.length).toBeGreaterThanOrEqual(1);
    expect(successfulOutcomes.length + refusedOutcomes.length).toBe(3);
    for (const { output } of successfulOutcomes)
      expect(output).toContain("The command opens the data folder itself.");
    // With --json the output is JSON whether the command succeeds or fails.
    expect(JSON.parse(outcomes[2]?.stdout ?? "")).toBeTypeOf("object");
  });

  it("runs a command that arrived early, and is released despite idle callers", async () => {
    const owner = await claimDataFolder(folder.path);
    const caller = await claimDataFolder(folder.path);
    const idle = await claimDataFolder(folder.path);
    if (owner.kind !== "ours" || caller.kind !== "in use" || idle.kind !== "in use")
      return expect.unreachable();
    const lines: string[] = [];
    const earlyCommand = sendCommand(caller.socket, ["greet"], (line) => lines.push(line));
    owner.channel.runCommandsWith(async ([name = ""], { print }) => {
      print(`hello, ${name}`);
      return 7;
    });
    expect(await earlyCommand).toBe(7);
    expect(lines).toEqual(["hello, greet"]);
    await owner.channel.release();
  });

  it("lets the server finish a command that a person interrupts", async () => {
    const owner = await claimDataFolder(folder.path);
    if (owner.kind !== "ours") return expect.unreachable();
    const [started, callerLeft] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const finished = Promise.withResolvers<string>();
    owner.channel.runCommandsWith(async ([name = ""], { print }) => {
      started.resolve();
      await callerLeft.promise;
      print("done");
      finished.resolve(name);
      return 0;
    });
    const env = { ...process.env, DATA_DIR: folder.path };
    const child = spawn(process.execPath, ["cli/newsroom.ts", "backup"], { env });
    const errorOutput = text(child.stderr);
    await started.promise;
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([130, null]);
    expect(await errorOutput).toBe(
      "Stopped watching. If the command has started, the server finishes it.\n",
    );
    callerLeft.resolve();
    expect(await finished.promise).toBe("backup");
    await owner.channel.release();
  });

  it("does not block the next server if a killed server left it behind", async () => {
    const server = await startTestServer();
    await server.stop("SIGKILL");
    const nextServer = await startTestServer();
    expect(await nextServer.stop()).toBe(0);
  });
});

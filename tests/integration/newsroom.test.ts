import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimDataFolder } from "../../server/process/command-socket.ts";
import { startCity, type TestCity } from "../support/city.ts";
import { createDataFolder } from "../support/data-folder.ts";
import { startFeedServer } from "../support/feed-server.ts";
import { runInServer } from "../support/newsroom.ts";
import { temporaryFolder } from "../support/server.ts";

let city: TestCity;
let sitesFolder: string;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  city = await startCity({});
  sitesFolder = dirname(city.siteFolder);
});
afterAll(async () => {
  await city?.close();
  await folder.remove();
});

/** The environment of a program whose output goes to a file or to another program. */
const createEnv = (settings: Record<string, string>) => ({
  ...process.env,
  OFFLINE: "1",
  NO_COLOR: "1",
  FORCE_COLOR: undefined,
  ...settings,
});

/** The settings of the city of these tests. */
const ofCity = () => ({ DATA_DIR: city.dataDir, SITES_DIR: dirname(city.siteFolder) });

/** Runs the program in its own process. */
function runProgram(
  settings: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; stdout: string }> {
  return new Promise((resolve) => {
    const env = createEnv(settings);
    execFile(process.execPath, ["cli/newsroom.ts", ...args], { env }, (error, stdout) => {
      const code = typeof error?.code === "number" ? error.code : 0;
      resolve({ code, stdout });
    });
  });
}

/** Changes a site file while `work` runs, and restores it afterwards. */
async function withEdit<T>(
  file: string,
  change: (source: string) => string,
  work: () => Promise<T>,
): Promise<T> {
  const source = await readFile(join(city.siteFolder, file), "utf8");
  await city.edit(file, change);
  try {
    return await work();
  } finally {
    await writeFile(join(city.siteFolder, file), source);
  }
}

const withMistake = <T>(work: () => Promise<T>) =>
  withEdit(
    "donation.yaml",
    (source) => source.replace("frequency: every-load", "frequency: hourly"),
    work,
  );

describe("a command in the running server", () => {
  it("works despite a mistake in a file that it does not need", async () => {
    const { output } = await withMistake(() => runInServer(city.dataDir, ["feeds", "list"]));
    expect(output).toContain("baltimore-brew");
  });

  it("arrives through a socket that only its owner can open", async () => {
    const { mode } = await stat(join(city.dataDir, "newsroom.sock"));
    expect(mode & 0o777).toBe(0o600);
  });

  it("prints what visitors may send, and what they read above a limit", async () => {
    const { code, output } = await runInServer(city.dataDir, ["doctor", "--limits"]);
    expect(code).toBe(0);
    expect(output).toContain(
      "radio listeners\n  one visitor   20 at a time\n  all visitors  2,000 at",
    );
    expect(output).toContain("stories\n  one visitor   10 per hour; each 24 MB\n");
    expect(output).toContain("message       You have sent this form many times this hour.");
  });
});

describe("the newsroom program", () => {
  it("checks the entire installation of the running server", async () => {
    const { code, stdout } = await runProgram(ofCity(), "doctor", "--json");
    const { ok, findings }: { ok: boolean; findings: { about: string; state: string }[] } =
      JSON.parse(stdout);
    expect(Object.fromEntries(findings.map(({ about, state }) => [about, state]))).toMatchObject({
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
    expect(ok).toBe(true);
    expect(code).toBe(0);
  });

  it("exits with the code of a command in the running server", async () => {
    const { code, stdout } = await runProgram(ofCity(), "validate", "about.yaml");
    expect(stdout).toContain('"validate" takes no arguments. Remove "about.yaml".');
    expect(code).toBe(2);
  });

  it("ends when the program that reads its output has ended", async () => {
    const script = `"${process.execPath}" cli/newsroom.ts validate | head -1`;
    const { stdout } = await promisify(execFile)("sh", ["-c", script], {
      env: createEnv(ofCity()),
    });
    expect(stdout).toMatch(/^✓ .*\n$/);
  });

  it("does not silently create a second database in a wrong data folder", async () => {
    const elsewhere = join(folder.path, "elsewhere");
    const { code, stdout } = await runProgram({ DATA_DIR: elsewhere }, "messages", "list");
    expect(stdout).toContain(`There is no database in the data folder ${elsewhere}.`);
    expect(stdout).toContain("--new-database");
    expect(code).toBe(1);
    await expect(stat(elsewhere)).rejects.toThrow("ENOENT");
  });

  it("runs doctor itself if there is no server, even if the data folder cannot be used", async () => {
    const file = join(folder.path, "file");
    await writeFile(file, "");
    const { code, stdout } = await withMistake(() =>
      runProgram({ DATA_DIR: file, SITES_DIR: sitesFolder }, "doctor"),
    );
    expect(stdout).toMatch(
      /^✗ data folder +.*file is not a folder\.\n +→ Set DATA_DIR to another path\.$/m,
    );
    expect(stdout).toMatch(/^✗ database +Could not open the database: /m);
    expect(stdout).toMatch(
      /^✗ city's files +1 file has problems: donation.yaml\.\n +→ Run ".*validate"/m,
    );
    const starts = stdout
      .split("\n")
      .map((line) => /^[✓!✗] (?:[a-z']+ )+ +/.exec(line)?.[0].length);
    expect(new Set(starts.filter((start) => start !== undefined))).toEqual(new Set([18]));
    expect(stdout).toContain("Found 3 errors and ");
    expect(code).toBe(1);
  });

  it("tells a second command that another one is running, and frees the data folder when it is interrupted", async () => {
    const data = await createDataFolder();
    const requested = Promise.withResolvers<void>();
    // No source responds, so the command runs until it is interrupted.
    const papers = await startFeedServer(() => requested.resolve());
    const settings = { DATA_DIR: data.path, SITES_DIR: sitesFolder };
    const firstCommand = await withEdit(
      "sections.yaml",
      (source) => source.replaceAll(/(?<=^ +url: )https:\/(?=\S+)/gm, papers.url("")),
      async () => {
        const child = spawn(process.execPath, ["cli/newsroom.ts", "feeds", "refresh"], {
          env: createEnv({ ...settings, FETCH_ALLOW: papers.host }),
        });
        const [ended, errorOutput] = [once(child, "exit"), text(child.stderr)];
        await Promise.race([requested.promise, ended]);
        return { child, ended, errorOutput };
      },
    );
    try {
      const { code, stdout } = await runProgram(settings, "messages", "list", "--json");
      // With --json the output is JSON whether the command succeeds or fails.
      expect(JSON.parse(stdout)).toEqual({
        exit: 1,
        lines: ["Another command is using this data folder. Try again when it has finished."],
      });
      expect(code).toBe(1);
      firstCommand.child.kill("SIGINT");
      expect(await firstCommand.ended).toEqual([130, null]);
      expect(await firstCommand.errorOutput).toContain("The command opens the data folder itself.");
      const claim = await claimDataFolder(data.path);
      if (claim.kind !== "ours") return expect.unreachable();
      await claim.folder.release();
    } finally {
      firstCommand.child.kill("SIGKILL");
      await papers.close();
      await data.remove();
    }
  });

  it("prints JSON even if the settings are wrong", async () => {
    const { code, stdout } = await runProgram({ PORT: "many" }, "doctor", "--json");
    expect(JSON.parse(stdout)).toEqual({
      exit: 1,
      lines: [expect.stringContaining("PORT: must be a number")],
    });
    expect(code).toBe(1);
  });

  it("lets the server finish a command that a person interrupts", async () => {
    const owner = await claimDataFolder(join(folder.path, "interrupted"));
    if (owner.kind !== "ours") return expect.unreachable();
    const [started, callerLeft] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const finished = Promise.withResolvers<string>();
    owner.folder.runCommandsWith(async ([name = ""], { print }) => {
      started.resolve();
      await callerLeft.promise;
      print("done");
      finished.resolve(name);
      return 0;
    });
    const child = spawn(process.execPath, ["cli/newsroom.ts", "backup"], {
      env: createEnv({ DATA_DIR: join(folder.path, "interrupted") }),
    });
    try {
      const [ended, errorOutput] = [once(child, "exit"), text(child.stderr)];
      await started.promise;
      child.kill("SIGINT");
      expect(await ended).toEqual([130, null]);
      expect(await errorOutput).toBe(
        "Stopped watching. If the command has started, the server finishes it.\n",
      );
      callerLeft.resolve();
      expect(await finished.promise).toBe("backup");
    } finally {
      child.kill("SIGKILL");
      await owner.folder.release();
    }
  });
});

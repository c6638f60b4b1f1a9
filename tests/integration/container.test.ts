import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { buildIfNeeded } from "../../server/process/build.ts";
import { findFreePort } from "../support/free-port.ts";
import { temporaryFolder } from "../support/server.ts";

const run = promisify(execFile);
const instructions = (await readFile("Containerfile", "utf8"))
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => ({ name: line.split(" ", 1)[0] ?? "", rest: line.slice(line.indexOf(" ") + 1) }));
const lastInstruction = (name: string) =>
  instructions.findLast((instruction) => instruction.name === name)?.rest ?? "";
const readCommand = (name: string): string[] =>
  JSON.parse(lastInstruction(name).slice(lastInstruction(name).indexOf("[")));

describe("the Containerfile", () => {
  it("names no registry, and its base image can be replaced", () => {
    expect(instructions[0]).toEqual({
      name: "ARG",
      rest: expect.stringMatching(/^BASE=[\w.-]+:[\w.-]+$/),
    });
    const bases = instructions.filter(({ name }) => name === "FROM").map(({ rest }) => rest);
    expect(bases.map((base) => base.replace(/ AS \w+$/, ""))).toEqual(["$BASE", "$BASE"]);
  });
});

// Only root can start a process as another user.
describe.skipIf(process.getuid?.() !== 0)("the container", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let appFolder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await chmod(folder.path, 0o755);
    appFolder = join(folder.path, "app");
    for (const instruction of instructions) await runInstruction(instruction);
    // The data folder is a copy of a prepared one, because a first start would take much longer.
    const [uid = "", gid = ""] = lastInstruction("USER").split(":");
    await run("cp", ["-a", `${inject("dataTemplate")}/.`, join(folder.path, "data")]);
    await run("chown", ["-R", `${uid}:${gid}`, join(folder.path, "data")]);
  });
  afterAll(() => folder.remove());

  /**
   * Runs an instruction in an empty folder instead of an image. Two commands would take minutes and
   * are replaced: instead of running `npm ci`, the test links the packages that remain after `npm
   * prune` from this checkout, and `npm run build` finds a copy of this checkout's build.
   */
  async function runInstruction({ name, rest }: (typeof instructions)[number]): Promise<void> {
    if (name === "WORKDIR") await mkdir(appFolder, { recursive: true });
    if (name === "COPY" && !rest.startsWith("--from=build "))
      await copyContext(rest.split(" ").slice(0, -1));
    if (name !== "RUN" || rest === "npm prune --omit=dev --no-save") return;
    if (rest === "npm ci") return linkPackages();
    if (rest === "npm run build") {
      const buildFolder = dirname((await buildIfNeeded(() => {})).clientFolder);
      await mkdir(join(appFolder, "build"));
      await run("cp", ["-a", buildFolder, join(appFolder, "build")]);
    }
    const command = rest.replaceAll("/data", join(folder.path, "data"));
    const { stdout } = await run("sh", ["-c", command], { cwd: appFolder });
    expect(stdout).not.toContain("Building");
  }

  async function copyContext(names: string[]): Promise<void> {
    const ignoredNames = (await readFile(".dockerignore", "utf8")).split("\n");
    const copiedNames =
      names[0] === "."
        ? (await readdir(".")).filter((name) => !ignoredNames.includes(name))
        : names;
    await run("cp", ["-a", ...copiedNames, appFolder]);
  }

  async function linkPackages(): Promise<void> {
    const { packages } = JSON.parse(await readFile("package-lock.json", "utf8"));
    const productionPackages = Object.keys(packages).filter(
      (path) => path !== "" && !packages[path].dev && existsSync(path),
    );
    const paths = ["--parents", "node_modules/.bin/node", ...productionPackages, appFolder];
    // Hard links cannot cross file systems.
    await run("cp", ["-al", ...paths]).catch(() => run("cp", ["-a", ...paths]));
  }

  async function startContainer(port: number) {
    const [uid, gid] = lastInstruction("USER").split(":").map(Number);
    const variables = lastInstruction("ENV")
      .split(" ")
      .map((pair) => pair.split("="));
    const env = {
      PATH: process.env.PATH,
      ...Object.fromEntries(variables),
      HOST: "127.0.0.1",
      PORT: String(port),
      DATA_DIR: join(folder.path, "data"),
      OFFLINE: "1",
    };
    const start = ([program = "", ...args]: string[]) =>
      spawn(program, args, { uid, gid, env, cwd: appFolder });
    const server = start(readCommand("CMD"));
    const ended = once(server, "exit");
    return { server, ended, checkHealth: () => once(start(readCommand("HEALTHCHECK")), "exit") };
  }

  it("runs as an unprivileged user, writes only to its data folder, and has a health check", async () => {
    const { server, ended, checkHealth } = await startContainer(await findFreePort());
    let output = "";
    while (!output.includes("is running at")) output += (await once(server.stdout, "data"))[0];
    expect(output).not.toContain("Building");
    expect(await checkHealth()).toEqual([0, null]);
    server.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect((await checkHealth())[0]).toBe(1);
    const [uid] = lastInstruction("USER").split(":");
    expect((await run("find", [appFolder, "-uid", uid ?? ""])).stdout).toBe("");
  });

  it("explains that the checkout was not built", async () => {
    await rename(join(appFolder, "build"), join(folder.path, "build"));
    const { server, ended } = await startContainer(0);
    const output = await text(server.stderr);
    expect(await ended).toEqual([1, null]);
    expect(output).toMatch(
      /^This checkout has not been built, and you do not have permission to write to .*\. Run "npm run build" in .*\.\n$/,
    );
  });
});

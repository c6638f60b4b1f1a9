import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { stopTimes } from "../../server/http/http.ts";
import { findProgram } from "../support/programs.ts";
import { temporaryFolder } from "../support/server.ts";

const run = promisify(execFile);
const analyzer = findProgram("systemd-analyze") ?? "";
const nodeUnit = "deploy/harborline@.service";
const units = [nodeUnit, "deploy/harborline-build.service"];

describe.skipIf(!analyzer)("the systemd units", () => {
  it("are understood by systemd, and start a program that exists after npm ci", async () => {
    const folder = await temporaryFolder();
    const copies = units.map((unit) => join(folder.path, basename(unit)));
    for (const [index, unit] of units.entries()) {
      const unitText = await readFile(unit, "utf8");
      expect(unitText).toContain("ExecStart=/opt/harborline/current/node_modules/.bin/node ");
      await writeFile(
        copies[index] ?? "",
        unitText.replaceAll("/opt/harborline/current", process.cwd()),
      );
    }
    const { stderr } = await run(analyzer, ["verify", ...copies]);
    expect(stderr.split("\n").filter((line) => line.includes("harborline"))).toEqual([]);
    await folder.remove();
  });

  it("restrict what the service can access", async () => {
    for (const unit of units) {
      const options = ["security", "--offline=yes", "--threshold=25", unit];
      // The command fails if the exposure is above the threshold (2.5).
      await expect(run(analyzer, options)).resolves.toBeDefined();
    }
  });
});

describe("the systemd unit of a node", () => {
  const readSetting = async (name: string) => {
    const line = (await readFile(nodeUnit, "utf8"))
      .split("\n")
      .find((line) => line.startsWith(`${name}=`));
    return line?.slice(name.length + 1);
  };

  it.each([
    // "systemctl restart" returns when the node says that it is ready. A child process sends that
    // message.
    ["Type", /^notify$/],
    ["NotifyAccess", /^all$/],
    ["WatchdogSec", /^\d+$/],
    ["Wants", /\bharborline-build\.service\b/],
    ["After", /\bpostgresql\.service\b.*\bharborline-build\.service\b/],
    // Two open files for each of 2,000 radio listeners behind a proxy, and room for a higher limit.
    ["LimitNOFILE", /^\d{5,}$/],
    ["MemoryMax", /^\d+M$/],
    ["SystemCallFilter", /^@system-service$/],
    ["ReadWritePaths", /^-\/srv\/harborline\/sites -\/srv\/harborline\/desk$/],
  ])("sets %s", async (name, value) => {
    expect(await readSetting(name)).toMatch(value);
  });

  it("gives a node more time to stop than the node needs at most", async () => {
    const worstSeconds = (stopTimes.requestsMs + stopTimes.otherMs) / 1_000;
    expect(Number(await readSetting("TimeoutStopSec"))).toBeGreaterThanOrEqual(worstSeconds + 5);
  });

  it("restarts the node without limit while the database is unavailable", async () => {
    expect(await readSetting("StartLimitIntervalSec")).toBe("0");
    expect(await readSetting("Restart")).toBe("always");
  });

  it("uses the options of npm start", async () => {
    const { scripts } = JSON.parse(await readFile("package.json", "utf8"));
    const [, options] = /node (--.*)$/.exec(scripts.start) ?? [];
    expect(options).toContain("server/main.ts");
    expect(await readSetting("ExecStart")).toMatch(new RegExp(`/node ${options}$`));
  });
});

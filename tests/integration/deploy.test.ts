import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { findProgram } from "../support/programs.ts";
import { temporaryFolder } from "../support/server.ts";

const analyzer = findProgram("systemd-analyze");

describe.skipIf(!analyzer)("the systemd unit", () => {
  it("is one that systemd understands, and starts a program that is there after npm ci", async () => {
    const folder = await temporaryFolder();
    const unit = join(folder.path, "harborline@.service");
    const shipped = await readFile("deploy/harborline@.service", "utf8");
    expect(shipped).toContain("ExecStart=/opt/harborline/node_modules/.bin/node --liftoff-only");
    await writeFile(unit, shipped.replaceAll("/opt/harborline", process.cwd()));
    const { stderr } = await promisify(execFile)(analyzer ?? "", ["verify", unit]);
    expect(stderr.split("\n").filter((line) => line.includes("harborline@"))).toEqual([]);
    await folder.remove();
  });
});

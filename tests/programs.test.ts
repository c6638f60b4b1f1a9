import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runWithoutServiceStarts } from "./support/programs.ts";
import { temporaryFolder } from "./support/server.ts";

describe("installing packages for the tests", () => {
  it("prevents Debian from starting the installed services, but only during the installation", async () => {
    const folder = await temporaryFolder();
    const policy = join(folder.path, "policy-rc.d");
    const failToInstall = () => {
      expect(readFileSync(policy, "utf8")).toContain("exit 101");
      expect(statSync(policy).mode & 0o111).not.toBe(0);
      throw new Error("no network");
    };
    expect(() => runWithoutServiceStarts(failToInstall, policy)).toThrow("no network");
    expect(existsSync(policy)).toBe(false);
    await folder.remove();
  });

  it("does not change the machine's own policy", async () => {
    const folder = await temporaryFolder();
    const policy = join(folder.path, "policy-rc.d");
    writeFileSync(policy, "#!/bin/sh\nexit 0\n");
    let isInstalled = false;
    runWithoutServiceStarts(() => {
      isInstalled = true;
    }, policy);
    expect(isInstalled).toBe(true);
    expect(readFileSync(policy, "utf8")).toContain("exit 0");
    await folder.remove();
  });
});

import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Finds the first of these programs that is installed. */
export function findProgram(...names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** A machine that has just started often installs updates, and apt-get would fail meanwhile. */
const waitForOthers = ["-o", "DPkg::Lock::Timeout=600"];

/** Programs that are not installed, and the packages that have them. */
export type Missing = { reason: string; consequence: string; packages: string[] };

/** Lists what some tests of servers need and is not installed. */
export const listMissingServers = (): Missing[] =>
  [
    {
      programs: ["nginx"],
      reason: "nginx is not installed",
      consequence: "tests behind nginx are skipped",
      packages: ["nginx-light"],
    },
    {
      programs: ["sudo"],
      reason: "sudo is not installed",
      consequence: "tests of the newsroom's access are skipped",
      packages: ["sudo"],
    },
    {
      programs: ["icecast2", "ffmpeg"],
      reason: "Icecast or ffmpeg is not installed",
      consequence: "tests with a real radio station are skipped",
      packages: ["icecast2", "ffmpeg"],
    },
  ].filter(({ programs }) => !programs.every((name) => findProgram(name)));

/**
 * Installs Debian packages if this is Debian and we are root. Otherwise prints what will be
 * skipped, and why.
 */
export function installPackages(missing: Missing[]): void {
  const packages = missing.flatMap((each) => each.packages);
  if (packages.length === 0) return;
  if (!findProgram("apt-get") || process.getuid?.() !== 0) {
    for (const each of missing)
      console.log(
        `${each.reason}, and only root on Debian can install it here ("apt-get install ${each.packages.join(" ")}"): ${each.consequence}.`,
      );
    return;
  }
  console.log(`apt-get install ${packages.join(" ")} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args: string[]) =>
    spawnSync("apt-get", ["-qq", ...waitForOthers, ...args], {
      stdio: ["ignore", "ignore", "inherit"],
      env,
    });
  apt("update");
  runWithoutServiceStarts(() => apt("install", "-y", "--no-install-recommends", ...packages));
}

/**
 * Runs an installation, and prevents Debian from starting a daemon as soon as it is installed
 * (nginx on port 80, Icecast on port 8000). Debian's packages first ask the program `policy-rc.d`
 * for permission, and its exit code 101 means no. A policy that already exists on the machine is
 * not replaced.
 */
export function runWithoutServiceStarts(
  install: () => void,
  policy = "/usr/sbin/policy-rc.d",
): void {
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    install();
  } finally {
    if (isOurs) rmSync(policy);
  }
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

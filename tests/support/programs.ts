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

/**
 * Installs Debian packages if this is Debian and we are root. Otherwise prints what will be
 * skipped, and why.
 */
export function installPackages(reason: string, consequence: string, ...packages: string[]): void {
  const command = `apt-get install ${packages.join(" ")}`;
  if (!findProgram("apt-get") || process.getuid?.() !== 0) {
    console.log(
      `${reason}, and only root on Debian can install it here ("${command}"): ${consequence}.`,
    );
    return;
  }
  console.log(`${reason}: ${command} …`);
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

import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The first of these programs that is installed. */
export function findProgram(...names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** Has Debian's package manager bring packages, where it is there and we may. */
export function installPackages(reason: string, ...packages: string[]): void {
  if (process.getuid?.() !== 0 || !findProgram("apt-get")) return;
  console.log(`${reason}: installing ${packages.join(" ")} with apt-get …`);
  const quietly = { stdio: ["ignore", "ignore", "inherit"] satisfies ["ignore", "ignore", "inherit"] };
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update", "-qq"], { ...quietly, env });
  spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], { ...quietly, env });
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// Removes from package-lock.json the optional packages that it names but does not include: `npm run
// lock`. A registry may lack the binaries for some systems. `npm install` leaves such a package out
// of the lockfile but keeps its name in the dependencies of another package, and `npm ci` then
// reports that the lockfile is out of date.
import { readFile, writeFile } from "node:fs/promises";
import { z } from "zod";

const lockfileSchema = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({ optionalDependencies: z.record(z.string(), z.string()).optional() }),
  ),
});

const path = new URL("../package-lock.json", import.meta.url);
const lock = lockfileSchema.parse(JSON.parse(await readFile(path, "utf8")));
let removedCount = 0;

for (const [owner, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
  for (const name of Object.keys(optionalDependencies)) {
    if (isInLockfile(owner, name)) continue;
    delete optionalDependencies[name];
    removedCount += 1;
  }
}
await writeFile(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`Removed ${removedCount} names from package-lock.json.`);

/** Looks up a package as Node does: in the owner's own folder, then in each folder above it. */
function isInLockfile(owner: string, name: string): boolean {
  for (
    let folder = owner;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))
  ) {
    if (`${folder}${folder && "/"}node_modules/${name}` in lock.packages) return true;
    if (folder === "") return false;
  }
}

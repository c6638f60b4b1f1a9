// Takes out of package-lock.json the optional packages that it names but does not hold: `npm run
// lock`. A registry may lack the binaries of some systems. `npm install` leaves such a package out
// of the lockfile but keeps its name in the list of the package that wants it, and `npm ci` then
// takes the lockfile for outdated.
import { readFile, writeFile } from "node:fs/promises";
import { z } from "zod";

const lockfile = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({ optionalDependencies: z.record(z.string(), z.string()).optional() }),
  ),
});

const path = new URL("../package-lock.json", import.meta.url);
const lock = lockfile.parse(JSON.parse(await readFile(path, "utf8")));
let removed = 0;

for (const [owner, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
  for (const name of Object.keys(optionalDependencies)) {
    if (isHeld(owner, name)) continue;
    delete optionalDependencies[name];
    removed += 1;
  }
}
await writeFile(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${removed} names taken out of package-lock.json.`);

/** As Node looks a package up: in the owner's own folder, then in each folder above. */
function isHeld(owner: string, name: string): boolean {
  for (
    let folder = owner;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))
  ) {
    if (`${folder}${folder && "/"}node_modules/${name}` in lock.packages) return true;
    if (folder === "") return false;
  }
}

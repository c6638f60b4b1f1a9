import { once } from "node:events";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startHelper } from "../../tests/support/helper-process.ts";
import { temporaryFolder } from "../../tests/support/server.ts";
import { removeOldBuilds } from "./build.ts";

it("newer builds do not remove the build of a running server, and remove it after the server has ended", async () => {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  const names = [1, 2, 3, 4, 5].map((number) => String(number).repeat(16));
  for (const [index, name] of names.entries()) {
    await mkdir(join(path, name));
    await writeFile(join(path, name, "in-use.lock"), "");
    await utimes(join(path, name), index, index);
  }
  const [oldest = "", , ...newest] = names;
  const program = `import { holdBuild } from "./server/process/build.ts";
    holdBuild(process.argv[1]);
    console.log("ready");
    setInterval(() => {}, 1_000);`;
  const server = startHelper(
    process.execPath,
    ["--input-type=module-typescript", "--eval", program, join(path, oldest)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => void server.kill());
  const [output] = await Promise.race([
    once(server.stdout ?? server, "data"),
    once(server, "exit"),
  ]);
  expect(String(output)).toBe("ready\n");

  await removeOldBuilds(path);
  expect((await readdir(path)).toSorted()).toEqual([oldest, ...newest]);

  server.kill();
  await once(server, "exit");
  await removeOldBuilds(path);
  expect((await readdir(path)).toSorted()).toEqual(newest);
});

import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { smallMemory } from "../../db/pglite/small-memory.ts";
import { chooseStartSettings } from "./start-settings.ts";

it.each([
  [512 * 1024 ** 2, "small"],
  [1024 ** 3, "small"],
  [1536 * 1024 ** 2, "fast"],
  [2 * 1024 ** 3, "fast"],
])("a machine or container with %i bytes of memory starts with the %s settings", (bytes, name) => {
  expect(chooseStartSettings(bytes) === smallMemory).toBe(name === "small");
});

it("npm start says what to run instead on a system where it cannot work", () => {
  const withoutExecve = "--import=data:text/javascript,delete process.execve";
  const { status, stderr } = spawnSync(process.execPath, [withoutExecve, "server/start.ts"], {
    encoding: "utf8",
  });
  expect(stderr).toContain("node server/main.ts");
  expect(status).toBe(1);
});

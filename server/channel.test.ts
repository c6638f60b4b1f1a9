import { once } from "node:events";
import { DrizzleQueryError } from "drizzle-orm";
import { expect, it } from "vitest";
import { temporaryFolder } from "../tests/support/server.ts";
import { claimDataFolder, sendCommand } from "./channel.ts";

it("survives a caller that leaves with lines unread, as `newsroom validate | head -1` does", async () => {
  const folder = await temporaryFolder();
  const claim = await claimDataFolder(folder.path);
  if (claim.kind !== "ours") throw new Error("the folder is in use");
  claim.channel.answerWith(async (_argv, { print }) => {
    for (let line = 0; line < 1_000; line += 1) print("x".repeat(1_000));
    return 0;
  });
  const call = async () => {
    const other = await claimDataFolder(folder.path);
    if (other.kind !== "taken") throw new Error("nobody answers");
    return other.socket;
  };
  for (let turn = 0; turn < 20; turn += 1) {
    const socket = await call();
    socket.write(`${JSON.stringify({ argv: ["validate"], cwd: "." })}\n`);
    await once(socket, "readable");
    socket.destroy();
    await once(socket, "close");
  }
  const lines: string[] = [];
  expect(await sendCommand(await call(), ["validate"], (line) => lines.push(line))).toBe(0);
  expect(lines).toHaveLength(1_000);
  await claim.channel.release();
  await folder.remove();
});

it("says why a command failed without the addresses in its queries, and takes a caller's leaving for a no", async () => {
  const folder = await temporaryFolder();
  const claim = await claimDataFolder(folder.path);
  if (claim.kind !== "ours") throw new Error("the folder is in use");
  const answered = Promise.withResolvers<boolean | undefined>();
  claim.channel.answerWith(async ([name], { confirm }) => {
    if (name === "ask") answered.resolve(await confirm?.("Really?"));
    throw new DrizzleQueryError(
      "delete from t where email = $1",
      ["ann@example.com"],
      new Error("disk full"),
    );
  });
  const call = async () => {
    const other = await claimDataFolder(folder.path);
    if (other.kind !== "taken") throw new Error("nobody answers");
    return other.socket;
  };
  const lines: string[] = [];
  expect(await sendCommand(await call(), ["fail"], (line) => lines.push(line))).toBe(1);
  expect(lines).toEqual(["The command failed: The database could not answer: disk full."]);
  const leaving = await call();
  // Not awaited: this side of a destroyed socket hears nothing more.
  sendCommand(leaving, ["ask"], () => {}, {
    async confirm() {
      leaving.destroy();
      return true;
    },
  });
  expect(await answered.promise).toBe(false);
  await claim.channel.release();
  await folder.remove();
});

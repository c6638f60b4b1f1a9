import type { Caller } from "../../app/platform/command.ts";
import { runWithJson } from "../../server/newsroom/print-json.ts";
import { connectToHolder, sendCommand } from "../../server/process/command-socket.ts";

/**
 * Runs a command in the server that uses the data folder, as the `newsroom` program does, but
 * without starting that program.
 */
export async function runInServer(
  dataDir: string,
  args: string[],
  caller: Partial<Omit<Caller, "print">> = {},
): Promise<{ code: number; output: string }> {
  const socket = await connectToHolder(dataDir);
  if (!socket) throw new Error(`No server uses the data folder ${dataDir}.`);
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const code = await runWithJson(args, { ...caller, print }, (words, collector) =>
    sendCommand(socket, words, collector),
  );
  return { code, output: lines.join("\n") };
}

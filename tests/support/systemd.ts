import { once } from "node:events";
import { join } from "node:path";
import { expect } from "vitest";
import { startHelper } from "./helper-process.ts";
import { findProgram } from "./programs.ts";

/**
 * Prints every message that arrives on a socket. The script is in Perl, which every Debian machine
 * has, because Node.js has no Unix datagram sockets.
 */
const receiverScript = `socket(S, AF_UNIX, SOCK_DGRAM, 0) or die; bind(S, pack_sockaddr_un($ARGV[0])) or die;
$| = 1; print "listening\\n"; print "$message\\n" while defined recv(S, $message, 4096, 0);`;

/**
 * Opens the socket on which systemd receives messages from a service of Type=notify. The real
 * program systemd-notify sends to it. Returns null on a machine without that program.
 */
export async function listenAsSystemd(folder: string) {
  const perl = findProgram("perl");
  if (!perl || !findProgram("systemd-notify")) return null;
  const socket = join(folder, "notify");
  // The program must not inherit the standard error of this process: Vitest ends only when every
  // process that has it has ended.
  const child = startHelper(perl, ["-MSocket", "-e", receiverScript, socket], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
  const failed = ended.then(() => {
    throw new Error(`The socket of systemd could not be opened: ${output}`);
  });
  await Promise.race([once(child.stdout ?? child, "data"), failed]);
  // From here on, the program ends only if the test ends it.
  failed.catch(() => {});
  return {
    env: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: "3000000" },
    /** Resolves when a message has arrived this many times or, without `times`, at least once. */
    async waitForMessage(message: string, times?: number) {
      const countMessages = () => output.split("\n").filter((line) => line === message).length;
      if (times === undefined) await expect.poll(countMessages).toBeGreaterThan(0);
      else await expect.poll(countMessages).toBe(times);
    },
    async close() {
      child.kill();
      await ended;
    },
  };
}

/** Why a request is refused before any framework sees it. */
export type Refusal = { status: 400 | 405 | 414; message: string };

export const maxTargetLength = 4_096;
export const allowedMethods = ["GET", "HEAD", "POST", "OPTIONS"];

const malformedUrl: Refusal = { status: 400, message: "This URL is malformed." };
/** Most paths: they contain nothing that must be decoded and checked. */
const ordinaryPath = /^(?:\/[\w-][\w.-]*)*\/?$/;
const hostPattern = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

/** Checks the raw request line, and refuses what could confuse the code that handles it later. */
export function findRefusal(
  method: string,
  target: string,
  hosts: readonly string[],
): Refusal | null {
  if (!allowedMethods.includes(method))
    return { status: 405, message: "This site does not support that method." };
  if (target.length > maxTargetLength) return { status: 414, message: "This URL is too long." };
  if (!target.startsWith("/"))
    return { status: 400, message: "This URL is not a path of this site." };
  // With two Host headers, a proxy and this server might each believe a different one.
  if (hosts.length !== 1 || !hostPattern.test(hosts[0] ?? ""))
    return { status: 400, message: "The Host header is malformed." };
  if (ordinaryPath.test(target)) return null;
  const path = decode(target.split("?", 1)[0] ?? "");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern has to find control characters
  if (path === null || /[\u0000-\u001f\u007f\\]|\/\//.test(path)) return malformedUrl;
  // Browsers resolve dot segments before they send a request. Accepting them would give one page
  // many paths.
  if (/\/\.{1,2}(?:\/|$)/.test(path)) return malformedUrl;
  return null;
}

function decode(path: string): string | null {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** A request that is answered before any framework sees it. */
export type Refusal = { status: 400 | 405 | 414; message: string };

export const maxTargetLength = 4_096;
export const allowedMethods = ["GET", "HEAD", "POST", "OPTIONS"];

const malformed: Refusal = { status: 400, message: "This address is malformed." };
const hostName = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

/** Looks at the raw request line. Anything refused here could only confuse what comes after. */
export function findRefusal(method: string, target: string, host: string): Refusal | null {
  if (!allowedMethods.includes(method))
    return { status: 405, message: "This method is not used here." };
  if (target.length > maxTargetLength) return { status: 414, message: "This address is too long." };
  if (!target.startsWith("/"))
    return { status: 400, message: "This address is not a path of this site." };
  if (!hostName.test(host)) return { status: 400, message: "This host is malformed." };
  const path = decode(target.split("?", 1)[0] ?? "");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (path === null || /[\u0000-\u001f\u007f\\]|\/\//.test(path)) return malformed;
  // Browsers resolve these before they ask; here they would give one page many addresses.
  if (/\/\.{1,2}(?:\/|$)/.test(path)) return malformed;
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

import type { City, CrossFileProblem, LinkCheck } from "../../platform/city.ts";
import { findRedirect, isGone, redirectsFile } from "./files.server.ts";

/**
 * Finds redirects that go in a circle, that lead to another redirect, and that have no effect. A
 * target that does not exist is found together with all other links.
 */
export async function checkRedirects(
  city: City,
  checkLinks: LinkCheck[],
): Promise<CrossFileProblem[]> {
  const redirects = city.read(redirectsFile) ?? {};
  const problems: CrossFileProblem[] = [];
  for (const [oldPath, newPath] of Object.entries(redirects)) {
    const problem = (message: string, isNote = false) =>
      problems.push({ file: redirectsFile.path, at: [oldPath], field: oldPath, message, isNote });
    const next = findRedirect(redirects, newPath);
    const end = followRedirects(redirects, oldPath);
    if (end === null) problem("goes in a circle, so readers would never arrive");
    else if (next !== null)
      problem(`leads to ${newPath}, which is redirected too: write ${end} here`);
    else if (await pageExists(oldPath, city, checkLinks))
      problem("is a page of this site, so this line has no effect", true);
  }
  return problems;
}

/** Returns where a reader arrives in the end, or null if that is nowhere. */
function followRedirects(redirects: Record<string, string>, oldPath: string): string | null {
  const seen = new Set<string>();
  let path = oldPath;
  for (;;) {
    if (seen.has(path)) return null;
    seen.add(path);
    const next = isGone(path) ? null : findRedirect(redirects, path);
    if (next === null) return path;
    path = next;
  }
}

async function pageExists(path: string, city: City, checkLinks: LinkCheck[]): Promise<boolean> {
  for (const checkLink of checkLinks) {
    const result = await checkLink(path, city).catch(() => undefined);
    if (result !== undefined) return result === null;
  }
  return false;
}

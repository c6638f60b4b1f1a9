import type { City, CrossFileProblem, LinkCheck } from "../../platform/city.ts";
import type { Feature } from "../../platform/feature.ts";
import { findRedirect, isGone, redirectsFile } from "./files.server.ts";
import { findNewPath, renamedPaths } from "./rows.server.ts";

export { isGone } from "./files.server.ts";
export { findNewPath } from "./rows.server.ts";

export const createRedirects = (features: () => Pick<Feature, "checkLink">[]): Feature => ({
  name: "redirects",
  files: [redirectsFile],
  sharedReads: () => [renamedPaths],
  checks: [
    (city) =>
      checkRedirects(
        city,
        features().flatMap(({ checkLink }) => checkLink ?? []),
      ),
  ],
});

/** Whether an old path leads readers to another one. */
export async function isRedirected(path: string, city: City): Promise<boolean> {
  const inFile = findRedirect(city.read(redirectsFile) ?? {}, path);
  const services = inFile === null ? await city.services() : null;
  const newPath = inFile ?? (services && (await findNewPath(services, path)));
  return newPath !== null && !isGone(newPath);
}

/**
 * Notes redirects from pages that exist, which have no effect. New paths without a page are not
 * checked here, but together with all other links.
 */
async function checkRedirects(city: City, checkLinks: LinkCheck[]): Promise<CrossFileProblem[]> {
  const problems: CrossFileProblem[] = [];
  for (const oldPath of Object.keys(city.read(redirectsFile) ?? {}))
    if (await pageExists(oldPath, city, checkLinks))
      problems.push({
        file: redirectsFile.path,
        at: [oldPath],
        field: oldPath,
        message: "is a page of this site, so this line has no effect",
        isNote: true,
      });
  return problems;
}

async function pageExists(path: string, city: City, checkLinks: LinkCheck[]): Promise<boolean> {
  for (const checkLink of checkLinks) {
    // Without the database, it is not known whether a page exists.
    const result = await checkLink(path, city).catch(() => undefined);
    if (result !== undefined) return result === null;
  }
  return false;
}

import { setImmediate as yieldToRequests } from "node:timers/promises";
import type { Log } from "../../app/lib/log.ts";
import type { City, CrossFileProblem } from "../../app/platform/city.ts";
import type { Feature } from "../../app/platform/feature.ts";
import type { RouteTable } from "../pages/route-table.ts";
import type { FileProblem } from "../site/check-file.ts";
import { checkLinks } from "./internal-links.ts";

/** Finds references in site files to something that does not exist. */
export type CheckReferences = (city: City) => Promise<CrossFileProblem[]>;

export const createReferenceCheck =
  (features: Pick<Feature, "checks" | "checkLink">[], routes: RouteTable): CheckReferences =>
  async (city) => {
    const problems: CrossFileProblem[] = [];
    for (const check of features.flatMap((feature) => feature.checks ?? [])) {
      await yieldToRequests();
      problems.push(...(await check(city)));
    }
    return [...problems, ...(await checkLinks(features, city, routes))];
  };

/** Returns a function that logs mistakes of a running site, each once until it was corrected. */
export function createReferenceLog(log: Log) {
  let reported = new Set<string>();
  return (problems: FileProblem[]): void => {
    const found = new Set<string>();
    for (const { file, line, field, message } of problems) {
      const key = [file, field, message].join("\n");
      if (!reported.has(key) && !found.has(key))
        log.warn("site.invalid_reference", { file, line, field, message });
      found.add(key);
    }
    reported = found;
  };
}

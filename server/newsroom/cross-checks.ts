import type { City, CrossFileProblem } from "../../app/platform/city.ts";
import type { Feature } from "../../app/platform/feature.ts";
import type { RouteTable } from "../pages/route-table.ts";
import { checkLinks } from "./internal-links.ts";

/** Finds references in site files to something that does not exist. */
export type CheckReferences = (city: City) => Promise<CrossFileProblem[]>;

export const createReferenceCheck =
  (features: Pick<Feature, "checks" | "checkLink">[], routes: () => RouteTable): CheckReferences =>
  async (city) => {
    const checks = features.flatMap((feature) => feature.checks ?? []);
    const problems = await Promise.all(checks.map((check) => check(city)));
    return [...problems.flat(), ...(await checkLinks(features, city, routes()))];
  };

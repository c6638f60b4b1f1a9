import type { City, CrossFileProblem } from "../../app/platform/city.ts";
import type { Feature } from "../../app/platform/feature.ts";
import type { RouteTable } from "../pages/route-table.ts";
import { checkLinks } from "./internal-links.ts";

/** Finds references between site files to something that does not exist. */
export type Checks = (city: City) => Promise<CrossFileProblem[]>;

export const createChecks =
  (features: Pick<Feature, "checks" | "checkLink">[], routes: () => RouteTable): Checks =>
  async (city) => {
    const checks = features.flatMap((feature) => feature.checks ?? []);
    const found = await Promise.all(checks.map((check) => check(city)));
    return [...found.flat(), ...(await checkLinks(features, city, routes()))];
  };

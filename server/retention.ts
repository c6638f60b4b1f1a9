import { errorFields } from "../app/lib/log.ts";
import type { Feature } from "../app/platform/feature.ts";
import type { Services } from "../app/platform/services.ts";

/**
 * Deletes data that is older than the retention that the privacy page states. Each feature's rule
 * runs separately: if one fails, the error is logged and the other rules still run. The job then
 * counts as failed, so that the queue retries it and `doctor` reports it.
 */
export async function deleteExpired(
  features: Pick<Feature, "retention">[],
  services: Services,
): Promise<void> {
  const deleted: Record<string, number> = {};
  const failed: string[] = [];
  const rules = features.flatMap(({ retention }) => Object.entries(retention ?? {}));
  for (const [name, deleteOld] of rules) {
    try {
      const count = await deleteOld(services);
      if (count > 0) deleted[name] = count;
    } catch (error) {
      failed.push(name);
      services.log.error("retention.failed", { rule: name, ...errorFields(error) });
    }
  }
  if (Object.keys(deleted).length > 0) services.log.info("retention.done", deleted);
  if (failed.length > 0) throw new Error(`Could not delete expired data: ${failed.join(", ")}.`);
}

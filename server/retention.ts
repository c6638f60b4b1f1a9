import { errorFields } from "../app/lib/log.ts";
import type { Feature } from "../app/platform/feature.ts";
import type { Services } from "../app/platform/services.ts";

/**
 * Keeps each promise of the privacy page on its own: one that fails is logged, and does not prevent
 * the others. The job then counts as failed, so that the queue tries again and `doctor` shows it.
 */
export async function deleteExpired(
  features: Pick<Feature, "retention">[],
  services: Services,
): Promise<void> {
  const deleted: Record<string, number> = {};
  const failed: string[] = [];
  const promises = features.flatMap(({ retention }) => Object.entries(retention ?? {}));
  for (const [promise, keep] of promises) {
    try {
      const count = await keep(services);
      if (count > 0) deleted[promise] = count;
    } catch (error) {
      failed.push(promise);
      services.log.error("retention.failed", { promise, ...errorFields(error) });
    }
  }
  if (Object.keys(deleted).length > 0) services.log.info("retention.done", deleted);
  if (failed.length > 0) throw new Error(`These were not deleted: ${failed.join(", ")}.`);
}

import { errorFields } from "../../../lib/log.ts";
import type { Services } from "../../../platform/services.ts";
import { cacheTags, isPurged } from "../../../platform/tags.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { findNextEnd } from "../model.ts";
import { readAlerts } from "../store.server.ts";
import { renderBanner } from "./render.server.tsx";

/**
 * How often a node computes the banner again, for example after the clock was changed. It does so
 * from memory; while the connection for notifications is lost, it also reads the database.
 */
const maxWaitMs = 1_000;

/** Calls `show` with the banner of the running alerts whenever it may have changed. */
export function followAlerts(
  services: Pick<Services, "site" | "db" | "clock" | "log">,
  show: (html: string) => void,
) {
  const { site, clock, log } = services;
  let timer: NodeJS.Timeout | undefined;
  let latest = 0;
  let isStopped = false;

  async function update(): Promise<void> {
    latest += 1;
    const own = latest;
    let waitMs = maxWaitMs;
    try {
      const alerts = await readAlerts(services);
      // A later call may have read newer alerts already.
      if (own !== latest || isStopped) return;
      const now = clock();
      show(renderBanner(alerts, now, site.read(siteSettingsFile).timeZone));
      const next = findNextEnd(alerts, now);
      if (next) waitMs = Math.min(waitMs, next.getTime() - now.getTime());
    } catch (error) {
      log.error("alerts.not_read", errorFields(error));
      if (own !== latest || isStopped) return;
    }
    clearTimeout(timer);
    timer = setTimeout(update, waitMs).unref();
  }

  return {
    update,
    onPurged(tags: readonly string[]): void {
      if (isPurged(tags, cacheTags.alerts)) update();
    },
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

import { gauge, type MetricGroup } from "../app/lib/metrics.ts";
import type { Services } from "../app/platform/services.ts";
import { features } from "./features.ts";

const states = ["good", "failing", "not-asked-yet"] as const;

/** Labels do not name sources, because a city may have hundreds of them. */
export const sourceMetrics = (services: Pick<Services, "db" | "site" | "clock">): MetricGroup => ({
  name: "sources",
  async read() {
    const all = await Promise.all(
      features.map(async ({ name, sources }) => ({
        feature: name,
        health: (await sources?.health(services)) ?? [],
      })),
    );
    const kinds = all.filter(({ health }) => health.length > 0);
    return [
      gauge(
        "harborline_sources",
        "External sources by state.",
        kinds.flatMap(({ feature, health }) =>
          states.map((state) => ({
            labels: { feature, state },
            value: health.filter((source) => source.state === state).length,
          })),
        ),
      ),
      gauge(
        "harborline_sources_newest_success_age_seconds",
        "Time since any source was read successfully.",
        kinds.flatMap(({ feature, health }) => {
          const newest = Math.max(...health.map(({ lastSuccess }) => lastSuccess?.getTime() ?? 0));
          const value = (services.clock().getTime() - newest) / 1_000;
          return newest > 0 ? [{ labels: { feature }, value }] : [];
        }),
      ),
    ];
  },
});

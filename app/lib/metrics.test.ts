import { describe, expect, it } from "vitest";
import { counter, createDistribution, formatMetrics, gauge, histogram } from "./metrics.ts";

describe("metrics", () => {
  it("are formatted for Prometheus", () => {
    const text = formatMetrics([
      gauge("a", "One\nline.", 1.5),
      counter("b_total", "Two.", [
        { labels: { kind: 'say "\\"\n' }, value: Number.POSITIVE_INFINITY },
      ]),
      gauge("unknown", "Not known.", null),
    ]);
    expect(text).toBe(
      [
        "# HELP a One\\nline.",
        "# TYPE a gauge",
        "a 1.5",
        "# HELP b_total Two.",
        "# TYPE b_total counter",
        'b_total{kind="say \\"\\\\\\"\\n"} +Inf',
        "",
      ].join("\n"),
    );
  });

  it("count the values up to each bound", () => {
    const times = createDistribution([0.1, 1]);
    for (const value of [0.1, 0.2, 5]) times.observe(value);
    expect(
      formatMetrics([histogram("t", "Times.", times.samples({ cache: "hit" }))]).split("\n"),
    ).toEqual([
      "# HELP t Times.",
      "# TYPE t histogram",
      't_bucket{cache="hit",le="0.1"} 1',
      't_bucket{cache="hit",le="1"} 2',
      't_bucket{cache="hit",le="+Inf"} 3',
      't_sum{cache="hit"} 5.3',
      't_count{cache="hit"} 3',
      "",
    ]);
  });
});

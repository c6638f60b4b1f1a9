/**
 * A metric of the running site, in the data model of Prometheus. Labels have a fixed set of values:
 * never a path, a reader, a feed or anything else that outsiders choose.
 */
type Metric = {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  samples: Sample[];
};

type Sample = {
  value: number;
  labels?: Readonly<Record<string, string>>;
  /** "_bucket", "_sum" or "_count"; for histograms only. */
  suffix?: string;
};

export type MetricGroup = {
  name: string;
  /** Called for every scrape. */
  read(): Metric[] | Promise<Metric[]>;
};

const createMetric =
  (type: Metric["type"]) =>
  (name: string, help: string, samples: number | null | Sample[]): Metric => ({
    name,
    help,
    type,
    samples: Array.isArray(samples) ? samples : samples === null ? [] : [{ value: samples }],
  });

/** Creates a metric whose value goes up and down. The value is null if it is not known. */
export const gauge = createMetric("gauge");
/** Creates a metric whose value only grows while the process runs. */
export const counter = createMetric("counter");
export const histogram = createMetric("histogram");

/**
 * Creates the counts of a histogram: for each of the ascending bounds, the number of values up to
 * that bound. `observe` is cheap enough to call for every request.
 */
export function createDistribution(bounds: readonly number[]) {
  // The last element counts values above every bound.
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    observe(value: number): void {
      let index = 0;
      while (index < bounds.length && value > (bounds[index] ?? 0)) index += 1;
      counts[index] = (counts[index] ?? 0) + 1;
      sum += value;
    },
    samples(labels: Readonly<Record<string, string>> = {}): Sample[] {
      let cumulativeCount = 0;
      const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, index): Sample => {
        cumulativeCount += counts[index] ?? 0;
        return {
          suffix: "_bucket",
          labels: { ...labels, le: formatNumber(bound) },
          value: cumulativeCount,
        };
      });
      return [
        ...buckets,
        { suffix: "_sum", labels, value: sum },
        { suffix: "_count", labels, value: cumulativeCount },
      ];
    },
  };
}

export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

/** Formats metrics for Prometheus: see "Exposition formats" in its documentation. */
export const formatMetrics = (metrics: Metric[]): string =>
  metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(
          ({ value, labels = {}, suffix = "" }) =>
            `${name}${suffix}${formatLabels(labels)} ${formatNumber(value)}`,
        ),
        "",
      ].join("\n"),
    )
    .join("");

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escapeLabel = (value: string) =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

const formatNumber = (value: number): string => {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? String(value) : value > 0 ? "+Inf" : "-Inf";
};

/**
 * Figures about the running site, in the model of Prometheus. A module declares its own as a group;
 * nobody knows them all. Labels have a fixed set of values: never a path, a reader, a feed or
 * anything else that others choose.
 */
export type Metric = {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  samples: Sample[];
};

type Sample = {
  value: number;
  labels?: Readonly<Record<string, string>>;
  /** Of a histogram: "_bucket", "_sum" or "_count". */
  suffix?: string;
};

export type MetricGroup = {
  name: string;
  /** Called at every scrape. */
  read(): Metric[] | Promise<Metric[]>;
};

const metric =
  (type: Metric["type"]) =>
  (name: string, help: string, samples: number | null | Sample[]): Metric => ({
    name,
    help,
    type,
    samples: Array.isArray(samples) ? samples : samples === null ? [] : [{ value: samples }],
  });

/** A figure that goes up and down; null when it is not known. */
export const gauge = metric("gauge");
/** A figure that only grows while the process runs. */
export const counter = metric("counter");
export const histogram = metric("histogram");

/** Counts values below each of the bounds, which ascend. Cheap enough for every request. */
export function createDistribution(bounds: readonly number[]) {
  // The last place is for what is above every bound.
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    observe(value: number): void {
      let place = 0;
      while (place < bounds.length && value > (bounds[place] ?? 0)) place += 1;
      counts[place] = (counts[place] ?? 0) + 1;
      sum += value;
    },
    samples(labels: Readonly<Record<string, string>> = {}): Sample[] {
      let below = 0;
      const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, place): Sample => {
        below += counts[place] ?? 0;
        return { suffix: "_bucket", labels: { ...labels, le: numberText(bound) }, value: below };
      });
      return [
        ...buckets,
        { suffix: "_sum", labels, value: sum },
        { suffix: "_count", labels, value: below },
      ];
    },
  };
}

export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

/** The text that Prometheus reads, see "Exposition formats" in its documentation. */
export const formatMetrics = (metrics: Metric[]): string =>
  metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(
          ({ value, labels = {}, suffix = "" }) =>
            `${name}${suffix}${labelsText(labels)} ${numberText(value)}`,
        ),
        "",
      ].join("\n"),
    )
    .join("");

function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escapeLabel = (value: string) =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

const numberText = (value: number): string => {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? String(value) : value > 0 ? "+Inf" : "-Inf";
};

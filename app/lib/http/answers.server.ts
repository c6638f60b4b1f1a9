/** Work that runs a few at a time. Those who come when too many wait already are turned away at once. */
export function createQueue({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) {
  const waiting: (() => void)[] = [];
  let running = 0;

  const isFull = () => running >= atOnce && waiting.length >= maxWaiting;

  return {
    isFull,
    /** Runs the work when it is its turn; null when too many wait. */
    async run<T>(work: () => Promise<T>): Promise<{ value: T } | null> {
      if (isFull()) return null;
      if (running >= atOnce) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else running += 1;
      try {
        return { value: await work() };
      } finally {
        const next = waiting.shift();
        // The place passes on to the next in line.
        if (next) next();
        else running -= 1;
      }
    },
  };
}

export type AnswerLimits = { keptMs: number; maxEntries: number; maxBytes: number };

/** Keeps answers for a short time, so that a question that many ask, or one asks many times, is worked on once. */
export function createAnswers<T>(
  { keptMs, maxEntries, maxBytes }: AnswerLimits,
  {
    now = () => performance.now(),
    sizeOf = (value) => JSON.stringify(value).length,
  }: { now?: () => number; sizeOf?: (value: T) => number } = {},
) {
  // A Map remembers the order of insertion: the first is the oldest.
  const entries = new Map<string, { value: T; bytes: number; until: number }>();
  const underWay = new Map<string, Promise<T | null>>();
  let bytes = 0;
  let generation = 0;
  let isRemovalDue = false;

  function remove(key: string): void {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  /** Questions are what readers typed, so they do not stay longer than they are of use. */
  function removeOutdatedLater(): void {
    if (isRemovalDue) return;
    isRemovalDue = true;
    setTimeout(() => {
      isRemovalDue = false;
      for (const [key, { until }] of entries) if (until <= now()) remove(key);
      if (entries.size > 0) removeOutdatedLater();
    }, keptMs).unref();
  }

  function keep(key: string, value: T): void {
    const size = key.length + sizeOf(value);
    remove(key);
    entries.set(key, { value, bytes: size, until: now() + keptMs });
    bytes += size;
    removeOutdatedLater();
    for (const [oldest, { until }] of entries) {
      if (entries.size <= maxEntries && bytes <= maxBytes && until > now()) break;
      remove(oldest);
    }
  }

  return {
    /** The answer that is kept, or the one that `work` finds. Work that answers null is not kept. */
    async get(key: string, work: () => Promise<T | null>): Promise<T | null> {
      const kept = entries.get(key);
      if (kept && kept.until > now()) return kept.value;
      const begun = underWay.get(key);
      if (begun) return begun;
      const began = generation;
      const working = work()
        .then((value) => {
          // What was found before a change may be outdated.
          if (value !== null && began === generation) keep(key, value);
          return value;
        })
        .finally(() => {
          if (underWay.get(key) === working) underWay.delete(key);
        });
      underWay.set(key, working);
      return working;
    },
    /** Something has changed, so all questions are worked on again. */
    forget(): void {
      generation += 1;
      entries.clear();
      underWay.clear();
      bytes = 0;
    },
    size: () => ({ entries: entries.size, bytes }),
  };
}

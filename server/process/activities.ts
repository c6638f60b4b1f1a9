/** What the process is doing, by name, so that a delay can be explained. */
export type Activities = {
  /** Notes that something has begun; the function it gives back notes the end. */
  begin(name: string): () => void;
  /** Notes the beginning and the end of a piece of work. */
  during<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** What was running at any moment since the last `forgetEnded`, newest first. */
  list(): string[];
  clearEnded(): void;
};

type Activity = { name: string; number: number };

/**
 * A plain register. To follow every asynchronous step of the work (AsyncLocalStorage) would name
 * the culprit of a delay exactly, but would slow down every request; this names a few candidates,
 * the culprit among them.
 */
export function createActivities(): Activities {
  const running = new Set<Activity>();
  let ended: Activity[] = [];
  let begun = 0;
  const begin = (name: string) => {
    begun += 1;
    const activity = { name, number: begun };
    running.add(activity);
    return () => {
      if (running.delete(activity)) ended.push(activity);
    };
  };
  return {
    begin,
    async during(name, work) {
      const end = begin(name);
      try {
        return await work();
      } finally {
        end();
      }
    },
    list: () =>
      [...ended, ...running]
        .sort((one, other) => other.number - one.number)
        .map(({ name }) => name),
    clearEnded() {
      if (ended.length > 0) ended = [];
    },
  };
}

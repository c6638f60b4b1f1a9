/** The names of what the process is doing, to explain delays of the event loop. */
export type Activities = {
  /** Records that an activity has begun. The returned function records its end. */
  begin(name: string): () => void;
  /** Runs `work`, and records when it begins and ends. */
  track<T>(name: string, work: () => Promise<T>): Promise<T>;
  /**
   * The names of all activities that ran at any time since the last `clearEnded`, newest first.
   */
  list(): string[];
  clearEnded(): void;
};

type Activity = { name: string; order: number };

/**
 * Creates a plain list of activities, which names a few candidates for the cause of a delay.
 * AsyncLocalStorage would name the exact cause, but it would slow down every request.
 */
export function createActivities(): Activities {
  const running = new Set<Activity>();
  let ended: Activity[] = [];
  let count = 0;
  const begin = (name: string) => {
    count += 1;
    const activity = { name, order: count };
    running.add(activity);
    return () => {
      if (running.delete(activity)) ended.push(activity);
    };
  };
  return {
    begin,
    async track(name, work) {
      const end = begin(name);
      try {
        return await work();
      } finally {
        end();
      }
    },
    list: () =>
      [...ended, ...running].sort((one, other) => other.order - one.order).map(({ name }) => name),
    clearEnded() {
      if (ended.length > 0) ended = [];
    },
  };
}

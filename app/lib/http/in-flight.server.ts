/** Callers that use the same key at the same time share one run of the work, and its result. */
export function createInFlight<T>() {
  const running = new Map<string, Promise<T>>();
  return {
    has: (key: string): boolean => running.has(key),
    /** Returns the work that is running under this key, or starts it. */
    share(key: string, start: () => Promise<T>): Promise<T> {
      const current = running.get(key);
      if (current) return current;
      const work = start().finally(() => {
        // After `detach` another run may use this key.
        if (running.get(key) === work) running.delete(key);
      });
      running.set(key, work);
      return work;
    },
    /** Makes new callers start the work again. Callers that already wait get the earlier result. */
    detach(): void {
      running.clear();
    },
  };
}

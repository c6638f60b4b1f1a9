/**
 * Work that callers who ask for the same key at the same time share: it runs once, and all of them
 * get its result.
 */
export function createInFlight<T>() {
  const running = new Map<string, Promise<T>>();
  return {
    has: (key: string): boolean => running.has(key),
    /** The work that runs under this key, or `start`, if none does. */
    share(key: string, start: () => Promise<T>): Promise<T> {
      const begun = running.get(key);
      if (begun) return begun;
      const work = start().finally(() => {
        // After `detach` another run may have taken this key.
        if (running.get(key) === work) running.delete(key);
      });
      running.set(key, work);
      return work;
    },
    /**
     * Callers from now on start the work again. Those who wait already still get what they asked
     * for.
     */
    detach(): void {
      running.clear();
    },
  };
}

/**
 * What the worker threads do that read other people's documents: see server/outside-work.ts. Tasks are pure functions
 * of features and lib; they get plain data and know nothing of threads.
 */
export const outsideTasks = {
  async feed() {
    const { readItems } = await import("../app/features/feeds/read.server.ts");
    return ({ now, ...document }: Parameters<typeof readItems>[0] & { now: Date }) =>
      readItems(document, now);
  },
  async calendar() {
    const { readCalendar } = await import("../app/features/calendars/read.server.ts");
    return ({ body, ...options }: { body: Uint8Array } & Parameters<typeof readCalendar>[1]) =>
      readCalendar(body, options);
  },
  async texts() {
    const { textOf } = await import("../app/lib/plain-text.server.ts");
    return (sources: Parameters<typeof textOf>[0][]) => sources.map(textOf);
  },
  async post() {
    const { renderUntrusted } = await import("../app/lib/untrusted-markdown.server.ts");
    const { pictureAddressWith } = await import("../app/features/blog/picture-address.server.ts");
    return ({ text, origin, pictureKey }: { text: string; origin: string; pictureKey: Uint8Array }) =>
      renderUntrusted(text, { origin, pictureAddress: pictureAddressWith(pictureKey, origin) });
  },
};

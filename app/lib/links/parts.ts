/**
 * The parts that a city can do without (`without` in site.yaml). Each name is also the first
 * segment of the paths of its pages.
 */
export const parts = ["radio", "books", "blog", "events"] as const;

export type Part = (typeof parts)[number];

export const isPart = (name: string): name is Part => parts.some((part) => part === name);

/** Whether a city has the page at a path. `absent` lists the parts that it does without. */
export const hasPage = (absent: readonly string[], path: string): boolean =>
  !absent.includes(path.split(/[/?#]/, 2)[1] ?? "");

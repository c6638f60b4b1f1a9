/**
 * The parts that a city can do without (`without` in site.yaml). Each name is also the first
 * segment of the paths of its pages.
 */
export const parts = ["radio", "books", "blog", "events"] as const;

export type Part = (typeof parts)[number];

export const isPart = (name: string): name is Part => parts.some((part) => part === name);

/**
 * Returns false if the city leaves out the part or the section to which the page at the path
 * belongs. `absent` lists the first segments of their paths.
 */
export const hasPage = (absent: readonly string[], path: string): boolean =>
  !absent.includes(path.split(/[/?#]/, 2)[1] ?? "");

/** How far a long piece of work has come: [######--------------] 12/40 */
export function progressBar(done: number, all: number): string {
  const filled = all === 0 ? 20 : Math.round((done / all) * 20);
  return `[${"#".repeat(filled)}${"-".repeat(20 - filled)}] ${done}/${all}`;
}

/** A text that fits: what is too much is cut off, and one sees that it was. */
export const truncate = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text;

const gap = 2;
const minColumnWidth = 8;

/**
 * Columns under their heads, as wide as they need to be. In a narrow terminal the widest give way,
 * but not the first: it says what one has to type.
 */
export function table(head: string[], rows: string[][], columns: number | null = null): string[] {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const total = () => widths.reduce((sum, width) => sum + width + gap, -gap);
  while (columns !== null && total() > columns) {
    const widest = Math.max(...widths.slice(1));
    if (widest <= minColumnWidth) break;
    widths[widths.indexOf(widest, 1)] = widest - 1;
  }
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => truncate(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0))
      .join(" ".repeat(gap))
      .trimEnd();
  return [line(head), line(widths.map((width) => "─".repeat(width))), ...rows.map(line)];
}

/** "1 file", "2 files". */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;

/** A size as people say it: 12 KB, 3.4 MB. */
export function formatSize(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

/** As much of an id as one has to type. */
export const shortId = (id: string) => id.slice(0, 8);

/** How many candidates are listed for an id that is too short. */
const maxCandidates = 10;

/** The one that an editor means by the beginning of an id; otherwise prints what to do about it. */
export function pickOne<T extends { id: string }>(
  context: { print(line: string): void },
  found: T[],
  {
    asked,
    thing,
    list,
    label,
  }: { asked: string; thing: string; list: string; label(one: T): string },
): { kind: "one"; one: T } | { kind: "none"; exit: 1 | 2 } {
  const [one, ...others] = found;
  if (one === undefined) {
    context.print(`There is no ${thing} "${asked}". "${list}" shows all.`);
    return { kind: "none", exit: 1 };
  }
  if (others.length === 0) return { kind: "one", one };
  context.print(
    `"${asked}" is the beginning of ${found.length} ids. Type a little more of the one you mean:`,
  );
  for (const each of found.slice(0, maxCandidates))
    context.print(`  ${shortId(each.id)}  ${label(each)}`);
  if (found.length > maxCandidates)
    context.print(`  … and ${found.length - maxCandidates} more: "${list}" shows all.`);
  return { kind: "none", exit: 2 };
}

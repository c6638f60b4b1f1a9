import { toSafeLine } from "../text/plain-text.ts";

/** Formats a progress bar: [######--------------] 12/40 */
export function formatProgressBar(done: number, total: number): string {
  const filled = total === 0 ? 20 : Math.round((done / total) * 20);
  return `[${"#".repeat(filled)}${"-".repeat(20 - filled)}] ${done}/${total}`;
}

/** Shortens text to a width and marks the cut with "…". */
export const truncate = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text;

const gap = 2;
const minColumnWidth = 8;

/**
 * Formats columns under their headings, as wide as their content. In a narrow terminal, the widest
 * columns shrink, except the first column, which contains what people have to type.
 */
export function formatTable(
  head: string[],
  rows: string[][],
  terminalWidth: number | null = null,
): string[] {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const totalWidth = () => widths.reduce((sum, width) => sum + width + gap, -gap);
  while (terminalWidth !== null && totalWidth() > terminalWidth) {
    const widest = Math.max(...widths.slice(1));
    if (widest <= minColumnWidth) break;
    widths[widths.indexOf(widest, 1)] = widest - 1;
  }
  const formatLine = (cells: string[]) =>
    cells
      .map((cell, column) => truncate(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0))
      .join(" ".repeat(gap))
      .trimEnd();
  return [
    formatLine(head),
    formatLine(widths.map((width) => "─".repeat(width))),
    ...rows.map(formatLine),
  ];
}

/** Formats a number with its noun: "1 file", "2 files". */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;

/** Formats a size for people: 12 KB, 3.4 MB. */
export function formatSize(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

/** Returns the part of an id that people have to type. */
export const shortenId = (id: string) => id.slice(0, 8);

/** The reader who sent something, for an editor. Empty if the reader gave no name or address. */
export const formatSender = ({ name, email }: { name: string; email: string }): string =>
  [name, email].map(toSafeLine).filter(Boolean).join(", ");

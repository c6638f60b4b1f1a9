/** How far a long piece of work has come: [######--------------] 12/40 */
export function bar(done: number, all: number): string {
  const filled = all === 0 ? 20 : Math.round((done / all) * 20);
  return `[${"#".repeat(filled)}${"-".repeat(20 - filled)}] ${done}/${all}`;
}

/** Columns under their heads, as wide as they need to be. */
export function table(head: string[], rows: string[][]): string[] {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(head), line(widths.map((width) => "─".repeat(width))), ...rows.map(line)];
}

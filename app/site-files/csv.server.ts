import type { Problem } from "./site-file.server.ts";

export type CsvRecord = { line: number; values: Record<string, string> };
type Table = { columns: string[]; records: CsvRecord[] } | { problem: Problem };

/**
 * Parses a CSV table (RFC 4180) whose first line has the names of the columns. Empty cells are
 * omitted.
 */
export function parseCsv(source: string): Table {
  const rows = splitRows(source.replace(/^\ufeff/, ""));
  if ("problem" in rows) return rows;
  const [header, ...rest] = rows.rows;
  if (!header) return { problem: { line: 1, field: "the file", message: "is empty" } };
  const columns = header.cells.map((cell) => cell.trim());
  if (columns.length === 1 && columns[0]?.includes(";")) {
    const message = "has semicolons between its columns. Export the table again with commas";
    return { problem: { line: 1, field: "the file", message } };
  }
  const records: CsvRecord[] = [];
  for (const { line, cells } of rest) {
    if (cells.length === 1 && cells[0] === "") continue;
    if (cells.length !== columns.length) {
      const message = `has ${cells.length} cells, but there are ${columns.length} columns`;
      return { problem: { line, field: "row", message } };
    }
    const pairs = columns.flatMap((column, index) =>
      cells[index] ? [[column, cells[index]]] : [],
    );
    records.push({ line, values: Object.fromEntries(pairs) });
  }
  return { columns, records };
}

type Rows = { rows: { line: number; cells: string[] }[] } | { problem: Problem };

function splitRows(source: string): Rows {
  const rows: { line: number; cells: string[] }[] = [];
  let row: string[] = [];
  let [line, rowLine] = [1, 1];
  // A cell, quoted or plain, and what ends it. The repetitions contain only character classes: an
  // alternative (a|b) inside a repetition would need stack space for each character, so a quote
  // that is never closed would exhaust the stack.
  const cellPattern = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;
  while (cellPattern.lastIndex < source.length) {
    const match = cellPattern.exec(source);
    if (!match)
      return {
        problem: { line, field: "quotes", message: "open here but are not closed correctly" },
      };
    const [matched, quoted, plain = "", end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += matched.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end === ",") continue;
    rows.push({ line: rowLine, cells: row });
    row = [];
    rowLine = line;
    if (end === "") break;
  }
  if (row.length > 0) rows.push({ line: rowLine, cells: [...row, ""] });
  return { rows };
}

/** Formats a line. A cell that a spreadsheet would interpret as a formula is marked as text. */
export const formatCsvLine = (cells: string[]): string =>
  `${cells.map((cell) => `"${(/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`).join(",")}\r\n`;

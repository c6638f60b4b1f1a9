export function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** The median is the typical value; the spread shows how reliable it is. */
export function figures(values: number[]): { median: number; spread: string } {
  return {
    median: rounded(median(values)),
    spread: `${rounded(Math.min(...values))} – ${rounded(Math.max(...values))}`,
  };
}

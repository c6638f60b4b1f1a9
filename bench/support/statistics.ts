export function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** A median says what is usual, the spread how far it can be trusted. */
export function figures(values: number[]): { median: number; spread: string } {
  return {
    median: rounded(median(values)),
    spread: `${rounded(Math.min(...values))} – ${rounded(Math.max(...values))}`,
  };
}

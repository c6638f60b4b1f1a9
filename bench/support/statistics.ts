export function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

export function roundToThousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/**
 * Returns the median, which is the typical value, and the spread, which shows how reliable it is.
 */
export function summarize(values: number[]): { median: number; spread: string } {
  return {
    median: roundToThousandths(median(values)),
    spread: `${roundToThousandths(Math.min(...values))} – ${roundToThousandths(Math.max(...values))}`,
  };
}

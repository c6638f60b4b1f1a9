export function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

export function roundToThousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}

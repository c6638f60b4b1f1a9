/** A point in tenths of a unit. */
type Point = readonly [number, number];

export const toTenths = (value: number) => Math.round(value * 10);

/** Writes the outline of a glyph at its place, with one decimal. In fonts, y grows upward. */
export const placeGlyph = (path: string, scale: number, [left, top]: Point): string =>
  path.replaceAll(/(-?[\d.]+)[ ,]+(-?[\d.]+)/g, (_, x: string, y: string) => {
    const point = [left + toTenths(Number(x) * scale), top + toTenths(-Number(y) * scale)];
    return point.map((value) => value / 10).join(" ");
  });

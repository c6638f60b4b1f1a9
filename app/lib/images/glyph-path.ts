/** A point in tenths of a unit. */
type Point = readonly [number, number];

export const toTenths = (value: number) => Math.round(value * 10);

/**
 * Writes a glyph with one decimal, each point relative to the last one. Only its starting point
 * depends on its position, so that the same letter has the same path data everywhere, which
 * compresses well.
 */
export function placeGlyph(path: string, scale: number, origin: Point): string {
  let lastPoint: Point = [-origin[0], -origin[1]];
  let start = lastPoint;
  let pathData = "";
  let previousCommand = "";
  for (const [, command = "", values = ""] of path.matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
    if (command === "Z") {
      lastPoint = start;
      pathData += "z";
      previousCommand = "z";
      continue;
    }
    const numbers = values.split(/[ ,]+/).filter(Boolean).map(Number);
    const points = Array.from({ length: numbers.length / 2 }, (_, index): Point => {
      const [x = 0, y = 0] = numbers.slice(2 * index, 2 * index + 2);
      return [toTenths(x * scale), toTenths(-y * scale)];
    });
    const position = lastPoint;
    const steps = points.flatMap(([x, y]) => [x - position[0], y - position[1]]);
    lastPoint = points.at(-1) ?? lastPoint;
    if (command === "M") start = lastPoint;
    const [letter, shortest] = shorten(pathData === "" ? "M" : command.toLowerCase(), steps);
    const text = writeNumbers(shortest);
    // A repeated command does not have to be written again.
    if (letter !== previousCommand) pathData += letter + text;
    else pathData += text.startsWith("-") ? text : ` ${text}`;
    previousCommand = letter;
  }
  return pathData;
}

/** Uses the shorter commands for horizontal and vertical lines. */
function shorten(letter: string, steps: number[]): [string, number[]] {
  if (letter !== "l") return [letter, steps];
  const [x = 0, y = 0] = steps;
  return y === 0 ? ["h", [x]] : x === 0 ? ["v", [y]] : [letter, steps];
}

const writeNumbers = (values: number[]) =>
  values
    .map((value) => String(value / 10).replace(/^(-?)0\./, "$1."))
    .map((value, index) => (index > 0 && !value.startsWith("-") ? ` ${value}` : value))
    .join("");

import type { FittedText } from "../text/fit-text.server.ts";
import type { ShapedText } from "../text/shape-text.server.ts";

type Placement = {
  x: number;
  /** The baseline. */
  y: number;
  size: number;
  color: string;
};

export function drawLine(line: ShapedText, { x, y, size, color }: Placement): string {
  return line.glyphs
    .map((glyph) => {
      const scale = toDecimal(size * glyph.unit);
      const left = toDecimal(x + (glyph.left + glyph.x) * size);
      const baseline = toDecimal(y - glyph.y * size);
      // The y axis of a font points up.
      const transform = `matrix(${scale} 0 0 -${scale} ${left} ${baseline})`;
      return glyph.layers
        .filter(({ outline }) => outline !== "")
        .map(
          (layer) =>
            `<path transform="${transform}" fill="${layer.color ?? color}" d="${layer.outline}"/>`,
        )
        .join("");
    })
    .join("");
}

export type Column = { left: number; width: number; isRightAligned: boolean };

export function drawLines(
  { size, lines }: FittedText,
  column: Column,
  { y, lineHeight, color }: { y: number; lineHeight: number; color: string },
): string {
  return lines
    .map((line, index) => {
      const unused = column.width - line.width * size;
      const x = column.left + (column.isRightAligned ? unused : 0);
      return drawLine(line, { x, y: y + index * lineHeight, size, color });
    })
    .join("");
}

const toDecimal = (value: number) => Number(value.toFixed(4));

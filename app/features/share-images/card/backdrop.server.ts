import type { ShareCard } from "../../../platform/share-card.ts";
import { imagePanel, shareImageSize } from "../model.ts";
import { cleanText } from "../text/clean-text.ts";
import { fitLine } from "../text/fit-text.server.ts";
import type { FontStack } from "../text/fonts.server.ts";
import type { CardStyle } from "./card-style.ts";
import { drawLine } from "./draw-line.server.ts";

const { width, height } = shareImageSize;
const goldLineWidth = 8;

/** The background beside an image. The place of the image stays transparent. */
export const drawImageBackdrop = ({ colors }: CardStyle): string =>
  `<rect width="${imagePanel.left}" height="${height}" fill="${colors.navy}"/>
  <rect x="${imagePanel.left - goldLineWidth}" width="${goldLineWidth}" height="${height}" fill="${colors.gold}"/>`;

/** The text of a card without an image ends above this line. */
export const horizon = 536;
const sun = { x: 948, radius: 150 };
/** Above the horizon, where the date of an event is easy to read. */
const highSunY = 300;

export function drawHarborBackdrop(style: CardStyle, dateTile: ShareCard["dateTile"]): string {
  const { colors } = style;
  const sunY = dateTile ? highSunY : horizon;
  const circle = (radius: number, fill: string) =>
    `<circle cx="${sun.x}" cy="${sunY}" r="${radius}" fill="${fill}"/>`;
  const rings = colors.rings.map((fill, index) => circle(sun.radius + 84 * (3 - index), fill));
  return `<rect width="${width}" height="${height}" fill="${colors.navy}"/>
  ${rings.join("")}
  ${circle(sun.radius, colors.gold)}
  <rect y="${horizon}" width="${width}" height="${height - horizon}" fill="${colors.water}"/>
  ${drawWaves(colors)}
  ${dateTile ? drawDate(style, dateTile, sunY) : ""}`;
}

function drawWaves(colors: CardStyle["colors"]): string {
  const crest = (x: number, y: number, length: number, stroke: string) =>
    `<path d="M${x} ${y}h${length}" stroke="${stroke}" stroke-width="5" stroke-linecap="round"/>`;
  const reflections = [
    [556, 230],
    [582, 150],
    [606, 190],
  ].map(([y = 0, length = 0], index) =>
    crest(sun.x - length / 2 + (index % 2 === 0 ? -14 : 18), y, length, colors.gold),
  );
  const crests = [
    [90, 566, 70],
    [250, 590, 110],
    [420, 564, 60],
    [560, 606, 90],
    [640, 570, 80],
    [130, 612, 60],
    [1110, 566, 70],
    [1080, 602, 96],
    [760, 592, 60],
  ].map(([x = 0, y = 0, length = 0]) => crest(x, y, length, colors.wave));
  return [...crests, ...reflections].join("");
}

function drawDate(
  { colors, serif, sans }: CardStyle,
  { weekday, month, day }: NonNullable<ShareCard["dateTile"]>,
  centerY: number,
): string {
  const drawCentered = (text: string, stack: FontStack, size: number, y: number, spacing = 0) => {
    const { lines } = fitLine(cleanText(text), stack, {
      width: 2 * sun.radius,
      size,
      letterSpacing: spacing,
    });
    return lines
      .map((line) =>
        drawLine(line, {
          x: sun.x - ((line.width - spacing) * size) / 2,
          y: centerY + y,
          size,
          color: colors.onGold,
        }),
      )
      .join("");
  };
  return [
    drawCentered(weekday.toUpperCase(), sans, 28, -62, 0.12),
    drawCentered(day, serif, 148, 52),
    drawCentered(month.toUpperCase(), sans, 28, 100, 0.12),
  ].join("");
}

import type { ShareCard } from "../../../platform/share-card.ts";
import type { Look } from "../../brand/look-file.server.ts";
import { imagePanel, shareImageSize } from "../model.ts";
import { cleanText } from "../text/clean-text.ts";
import { fitLine, fitText } from "../text/fit-text.server.ts";
import type { FontStack } from "../text/fonts.server.ts";
import { drawableText } from "../text/shape-text.server.ts";
import { type CardStyle, createCardStyle } from "./card-style.ts";
import { type Column, drawLine, drawLines } from "./draw-line.server.ts";

/** The name of the site. Its second part has another color. */
export type Brand = { name: string; accent: string };

/** What is drawn around the image of a card, or in its place. */
export type CardDrawing = Omit<ShareCard, "image"> & {
  brand: Brand;
  look: Look;
  hasImage: boolean;
};

const { width, height } = shareImageSize;
const margin = 64;
const brandLine = { left: margin + 62, baseline: 93, size: 32 };
/** The label, the title and the lines below it are centered in the space below the brand. */
const blockTop = 146;
const bottomMargin = 54;
const label = { size: 23, letterSpacing: 0.09, height: 30 };
const title = {
  sizes: [96, 92, 88, 84, 80, 76, 72, 68, 64, 60, 56, 52, 48, 44, 40],
  lineHeight: 1.1,
  letterSpacing: -0.012,
  maxLines: 5,
};
const line = { size: 26, height: 39 };
const gap = { belowLabel: 16, belowTitle: 22, besideMark: 20 };
/** The distance from the top of a line to its baseline, in ems. */
const ascent = 0.9;

/**
 * Draws a card, without its image, as an SVG. Its texts may come from other servers, so the SVG
 * contains no text, only numbers, colors and outlines of our own fonts.
 */
export function drawCard(card: CardDrawing): string {
  const { hasImage, dateTile } = card;
  const style = createCardStyle(card.look);
  const { colors, serif, sans } = style;
  const textWidth = hasImage ? imagePanel.left - margin - 56 : 620;
  const blockBottom = hasImage ? height - bottomMargin : horizon - 12;
  const lines = card.lines
    .map((text) => fitLine(cleanText(text), sans, { width: textWidth, size: line.size }))
    .filter((fitted) => fitted.lines.length > 0);
  const linesHeight = lines.length === 0 ? 0 : gap.belowTitle + lines.length * line.height;
  const labelHeight = label.height + gap.belowLabel;
  const fittedTitle = fitText(chooseTitle(card, style), serif, {
    ...title,
    width: textWidth,
    height: blockBottom - blockTop - labelHeight - linesHeight,
  });
  const lineHeight = fittedTitle.size * title.lineHeight;
  const titleHeight = fittedTitle.lines.length * lineHeight;
  const blockHeight = labelHeight + titleHeight + linesHeight;
  const top = blockTop + (blockBottom - blockTop - blockHeight) / 2;
  const titleTop = top + labelHeight;
  const linesTop = titleTop + titleHeight + gap.belowTitle;
  const isRightAligned = fittedTitle.direction === "rtl";
  const column = { left: margin, width: textWidth, isRightAligned };
  const shapes = [
    hasImage ? drawImageBackdrop(style) : drawHarborBackdrop(style, dateTile),
    drawBrand(style, card.brand, margin + textWidth),
    drawLabel(style, card, column, top + label.size * ascent),
    drawLines(fittedTitle, column, {
      y: titleTop + fittedTitle.size * ascent,
      lineHeight,
      color: colors.cream,
    }),
    ...lines.map((fitted, index) =>
      drawLines(fitted, column, {
        y: linesTop + index * line.height + line.size * ascent,
        lineHeight: line.height,
        color: index === 0 && lines.length > 1 ? colors.cream : colors.soft,
      }),
    ),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes.join("\n")}</svg>`;
}

/**
 * Our fonts lack some scripts, such as Chinese. If hardly anything of a title can be drawn, the
 * name of the site replaces it.
 */
function chooseTitle({ title: written, brand }: CardDrawing, { serif }: CardStyle): string {
  const cleaned = cleanText(written);
  const drawable = drawableText(cleaned, serif);
  const isReadable = drawable !== "" && countLetters(drawable) >= countLetters(cleaned) / 2;
  return isReadable ? cleaned : `${brand.name} ${brand.accent}`.trim();
}

const countLetters = (text: string) => text.match(/\p{L}/gu)?.length ?? 0;

function drawBrand({ colors, serif }: CardStyle, { name, accent }: Brand, right: number): string {
  const { left, baseline, size } = brandLine;
  const drawPart = (text: string, x: number, color: string) => {
    const [part] = fitLine(cleanText(text), serif, { size, width: right - x }).lines;
    const shape = part ? drawLine(part, { x, y: baseline, size, color }) : "";
    return { shape, end: x + (part?.width ?? 0) * size };
  };
  const first = drawPart(name, left, colors.cream);
  const second = drawPart(accent, first.end + size * 0.26, colors.gold);
  return first.shape + second.shape;
}

function drawLabel(
  style: CardStyle,
  { label: text, mark }: CardDrawing,
  column: Column,
  baseline: number,
): string {
  const { colors, sans } = style;
  const { size, letterSpacing } = label;
  const pill = mark && drawMark(style, mark, baseline);
  const maxWidth = column.width - (pill ? pill.width + gap.besideMark : 0);
  const fitted = fitLine(cleanText(text).toUpperCase(), sans, {
    width: maxWidth,
    size,
    letterSpacing,
  });
  const shape = drawLines(fitted, column, { y: baseline, lineHeight: size, color: colors.gold });
  if (!pill) return shape;
  const labelWidth = (fitted.lines[0]?.width ?? 0) * size;
  const indent = labelWidth === 0 ? 0 : labelWidth + gap.besideMark;
  const x = column.isRightAligned
    ? column.left + column.width - indent - pill.width
    : column.left + indent;
  return `${shape}<g transform="translate(${x} 0)">${pill.shape}</g>`;
}

function drawMark(
  { colors, sans }: CardStyle,
  mark: NonNullable<ShareCard["mark"]>,
  baseline: number,
): { width: number; shape: string } {
  const size = 18;
  const padding = 14;
  const [fill, stroke] = mark === "Canceled" ? [colors.crab, colors.crab] : ["none", colors.soft];
  const [text] = fitLine(mark.toUpperCase(), sans, {
    width: imagePanel.left,
    size,
    letterSpacing: 0.08,
  }).lines;
  const pillWidth = padding * 2 + (text?.width ?? 0) * size;
  const border = `<rect x="1" y="${baseline - 24.5}" width="${pillWidth}" height="32" rx="16" fill="${fill}" stroke="${stroke}" stroke-width="2"/>`;
  const letters = text
    ? drawLine(text, { x: padding + 1.5, y: baseline - 2, size, color: colors.cream })
    : "";
  return { width: pillWidth, shape: border + letters };
}

const goldLineWidth = 8;

/** The background beside an image. The place of the image stays transparent. */
const drawImageBackdrop = ({ colors }: CardStyle): string =>
  `<rect width="${imagePanel.left}" height="${height}" fill="${colors.navy}"/>
  <rect x="${imagePanel.left - goldLineWidth}" width="${goldLineWidth}" height="${height}" fill="${colors.gold}"/>`;

/** The text of a card without an image ends above this line. */
const horizon = 536;
const sun = { x: 948, radius: 150 };
/**
 * The height of the sun on cards with the date of an event, so that it is above the horizon and the
 * date is easy to read.
 */
const highSunY = 300;

function drawHarborBackdrop(style: CardStyle, dateTile: ShareCard["dateTile"]): string {
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

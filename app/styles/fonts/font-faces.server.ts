import type { FontPair } from "../../lib/look/font-pairs.ts";
import bitter from "./bitter/bitter.woff2?url";
import bitterMore from "./bitter/bitter-more.woff2?url";
import workSans from "./bitter/work-sans.woff2?url";
import workSansMore from "./bitter/work-sans-more.woff2?url";
import libreFranklin from "./newsreader/libre-franklin.woff2?url";
import libreFranklinMore from "./newsreader/libre-franklin-more.woff2?url";
import newsreader from "./newsreader/newsreader.woff2?url";
import newsreaderMore from "./newsreader/newsreader-more.woff2?url";
import sourceSans from "./source-serif/source-sans-3.woff2?url";
import sourceSansMore from "./source-serif/source-sans-3-more.woff2?url";
import sourceSerif from "./source-serif/source-serif-4.woff2?url";
import sourceSerifMore from "./source-serif/source-serif-4-more.woff2?url";

type Font = {
  /** The file with the characters of nearly every page. */
  common: string;
  /** Browsers fetch the file with more characters only when a page has one of them. */
  more: string;
  /** The height of a line above and below the baseline, in percent of the size of the text. */
  ascent: number;
  descent: number;
  /** The sizes of the fallbacks at which they are as wide as this font, in percent. */
  sizes: number[];
};

/**
 * The ascent and descent are those of the font files. Each size is the width of English text in our
 * font divided by its width in the fallback: regular, then bold. Georgia, Times New Roman and Arial
 * were measured with free fonts of the same widths (Gelasio, Tinos, Arimo).
 */
const pairs: Record<FontPair, { serif: Font; sans: Font }> = {
  newsreader: {
    serif: {
      common: newsreader,
      more: newsreaderMore,
      ascent: 73.5,
      descent: 26.5,
      sizes: [96.01, 86.86, 88.74, 88.04, 105.28, 104.36],
    },
    sans: {
      common: libreFranklin,
      more: libreFranklinMore,
      ascent: 96.6,
      descent: 24.6,
      sizes: [103.97, 102.7, 103.73, 104.38, 102.43, 97.89, 103.4, 97.89],
    },
  },
  "source-serif": {
    serif: {
      common: sourceSerif,
      more: sourceSerifMore,
      ascent: 103.6,
      descent: 33.5,
      sizes: [96.26, 83.85, 88.98, 84.99, 105.56, 100.75],
    },
    sans: {
      common: sourceSans,
      more: sourceSansMore,
      ascent: 102.4,
      descent: 40,
      sizes: [93.78, 93.44, 93.57, 94.97, 92.4, 89.06, 93.27, 89.06],
    },
  },
  bitter: {
    serif: {
      common: bitter,
      more: bitterMore,
      ascent: 93.5,
      descent: 26.5,
      sizes: [103.73, 90.2, 95.88, 91.43, 113.74, 108.38],
    },
    sans: {
      common: workSans,
      more: workSansMore,
      ascent: 93,
      descent: 24.3,
      sizes: [112.23, 108.86, 111.97, 110.64, 110.58, 103.76, 111.62, 103.76],
    },
  },
};

/** Widely installed fonts, by the names under which devices know their regular and bold faces. */
const fallbacks = {
  serif: [
    ["Georgia", ["Georgia"], ["Georgia Bold", "Georgia-Bold"]],
    ["Noto", ["Noto Serif", "NotoSerif"], ["Noto Serif Bold", "NotoSerif-Bold"]],
    [
      "Times",
      ["Times New Roman", "TimesNewRomanPSMT", "Liberation Serif"],
      ["Times New Roman Bold", "TimesNewRomanPS-BoldMT", "Liberation Serif Bold"],
    ],
  ],
  sans: [
    ["Segoe", ["Segoe UI"], ["Segoe UI Semibold", "SegoeUI-Semibold"]],
    ["Roboto", ["Roboto", "Roboto-Regular"], ["Roboto Bold", "Roboto-Bold"]],
    [
      "Helvetica",
      ["Helvetica Neue", "HelveticaNeue"],
      ["Helvetica Neue Bold", "HelveticaNeue-Bold"],
    ],
    [
      "Arial",
      ["Arial", "ArialMT", "Liberation Sans"],
      ["Arial Bold", "Arial-BoldMT", "Liberation Sans Bold"],
    ],
  ],
} satisfies Record<string, [name: string, regular: string[], bold: string[]][]>;

/** The characters of the two files of each font, as subset.ts selects them. */
const commonCharacters =
  "U+20-7E,U+A0,U+A9,U+B7,U+D7,U+E9,U+2013-2014,U+2018-2019,U+201C-201D,U+2022,U+2026,U+2190-2193,U+2713";
const moreCharacters = "U+A1-FF,U+201E,U+2020-2021,U+2030,U+2032-2033,U+20AC,U+2122,U+2212";

/** Returns the font faces of a pair, and the files that nearly every page needs. */
export function writeFontFaces(pair: FontPair): { styles: string; common: string[] } {
  const { serif, sans } = pairs[pair];
  const faces = [
    ...writeFallbacks("serif", serif),
    ...writeFallbacks("sans", sans),
    ...writeFiles("City Serif", serif),
    ...writeFiles("City Sans", sans),
  ];
  return { styles: faces.join(""), common: [serif.common, sans.common] };
}

/**
 * A fallback has the width and height of our font, so that text has the same line breaks before and
 * after our fonts are loaded. It has a regular face for lighter text, and a bold one for headings and
 * buttons (600), so that no browser has to synthesize bold letters.
 */
function writeFallbacks(kind: keyof typeof fallbacks, { ascent, descent, sizes }: Font): string[] {
  const faces = fallbacks[kind].flatMap(([name, regular, bold]) => [
    { name, weights: "400 500", local: regular },
    { name, weights: "600 700", local: bold },
  ]);
  return faces.map(({ name, weights, local }, index) => {
    const size = sizes[index] ?? 100;
    const toPercent = (value: number) => `${value.toFixed(1)}%`;
    const sources = local.map((each) => `local("${each}")`);
    return `@font-face{font-family:"Fitted ${name}";src:${sources};font-weight:${weights};size-adjust:${toPercent(size)};ascent-override:${toPercent((100 * ascent) / size)};descent-override:${toPercent((100 * descent) / size)};line-gap-override:0%}`;
  });
}

/** The common characters come last, because the last range wins. */
const writeFiles = (family: string, { common, more }: Font): string[] =>
  [
    { file: more, characters: moreCharacters },
    { file: common, characters: commonCharacters },
  ].map(
    ({ file, characters }) =>
      `@font-face{font-family:"${family}";src:url(${file})format("woff2");font-weight:400 700;font-display:swap;unicode-range:${characters}}`,
  );

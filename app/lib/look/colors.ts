/** The contrast that WCAG AA asks for: of text, and of shapes such as the border of a field. */
export const minContrast = { text: 4.5, shape: 3 } as const;

const black = "#000000";
const white = "#ffffff";

const toChannels = (color: string) =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));

/** Returns the brightness of a color from 0 to 1, as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = toChannels(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Mixes two colors: a share of 0 is the first, 1 the second. */
export function mix(one: string, other: string, share: number): string {
  const others = toChannels(other);
  const channels = toChannels(one).map((channel, index) =>
    Math.round(channel + ((others[index] ?? 0) - channel) * share),
  );
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * Returns the color that is nearest to `color` and has enough contrast with all backgrounds, which
 * may be `color` itself. Null if no such color exists.
 */
export function ensureContrast(color: string, backgrounds: string[], min: number): string | null {
  for (let step = 0; step <= 100; step += 1)
    for (const end of [black, white]) {
      const candidate = mix(color, end, step / 100);
      if (backgrounds.every((background) => contrast(candidate, background) >= min))
        return candidate;
    }
  return null;
}

const strongContrast = 11;

/** Returns the color for readers who want more contrast, on white or black pages. */
export const strengthen = (color: string, page: "light" | "dark"): string =>
  ensureContrast(color, [page === "light" ? white : black], strongContrast) ?? color;

/** The pairs of a serif and a sans serif font that ship, by the names of their folders. */
export const fontPairs = ["newsreader", "source-serif", "bitter"] as const;
export type FontPair = (typeof fontPairs)[number];

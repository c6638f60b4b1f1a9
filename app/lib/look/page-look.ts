import { createContext } from "react";
import type { Palette, Shades } from "./palette.ts";

export type PageLook = {
  palette: Palette;
  /** The path of the stylesheet. It changes with every change of the colors or fonts. */
  stylesheet: string;
  /** The paths of the fonts that nearly every page needs. */
  fonts: string[];
  /** The background of the site, for the parts of a browser or phone that surround the page. */
  paper: Shades;
  /** The script that applies the reader's display settings, and its source in the policy. */
  displayScript: string;
  displayScriptHash: string;
};

/** Only the server provides this. In the browser, the head already has what depends on it. */
export const PageLookContext = createContext<PageLook | null>(null);

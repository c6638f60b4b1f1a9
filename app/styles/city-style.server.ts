import { createHash } from "node:crypto";
import appStyles from "../app.css?inline";
import { writeDisplayScript } from "../lib/device/display-script.ts";
import { hashSource } from "../lib/http/csp.server.ts";
import type { FontPair } from "../lib/look/font-pairs.ts";
import type { PageLook } from "../lib/look/page-look.ts";
import { type Palette, paint } from "../lib/look/palette.ts";
import { writeFontFaces } from "./fonts/font-faces.server.ts";

/** The stylesheets of all cities have such a path. */
export const stylesheetPath = /^\/assets\/app-[\w-]{8}\.css$/;

type CityStyle = {
  css: string;
  page: PageLook;
  /** Whether a file of the build is a font of another pair. */
  isUnused(path: string): boolean;
};

const styles = new WeakMap<Palette, CityStyle>();

export function findCityStyle({ colors, fonts }: { colors: Palette; fonts: FontPair }): CityStyle {
  const style = styles.get(colors) ?? writeCityStyle(colors, fonts);
  styles.set(colors, style);
  return style;
}

function writeCityStyle(palette: Palette, pair: FontPair): CityStyle {
  const { styles: fontStyles, common } = writeFontFaces(pair);
  const css = paint(fontStyles + appStyles, palette);
  const version = createHash("sha256").update(css).digest("base64url").slice(0, 8);
  const displayScript = writeDisplayScript(palette.paper);
  return {
    css,
    page: {
      palette,
      stylesheet: `/assets/app-${version}.css`,
      fonts: common,
      paper: palette.paper,
      displayScript,
      displayScriptHash: hashSource(displayScript),
    },
    isUnused: (path) => path.endsWith(".woff2") && !fontStyles.includes(path),
  };
}

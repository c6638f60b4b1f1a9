import { artPath } from "../../lib/images/art.ts";
import type { Shades } from "../../lib/look/palette.ts";
import type { SiteSettings } from "../brand/files.server.ts";

/** The icons that browsers and phones ask for. "maskable" may be cut to any shape. */
export const appIcons = [
  { name: "192", side: 192, purpose: "any" },
  { name: "512", side: 512, purpose: "any" },
  { name: "maskable-512", side: 512, purpose: "maskable" },
] as const;

export type AppIcon = (typeof appIcons)[number];

export const appIconPrefix = "/icons/";

type Identity = Pick<SiteSettings, "name" | "shortName" | "description" | "mark">;

/** The web app manifest, with which readers can install the site as an app. */
export function writeManifest({ name, shortName, description, mark }: Identity, paper: Shades) {
  const version = /\?.*$/.exec(artPath(mark))?.[0] ?? "";
  return {
    id: "/",
    name,
    short_name: shortName,
    description,
    lang: "en-US",
    dir: "ltr",
    start_url: "/",
    scope: "/",
    display: "standalone",
    theme_color: paper.light,
    background_color: paper.light,
    categories: ["news"],
    icons: appIcons.map(({ name: file, side, purpose }) => ({
      src: `${appIconPrefix}${file}.png${version}`,
      sizes: `${side}x${side}`,
      type: "image/png",
      purpose,
    })),
  };
}

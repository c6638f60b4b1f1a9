import { decodeXML } from "entities";
import { z } from "zod";
import { pageLink, text } from "../../site-files/site-fields.server.ts";
import {
  type SiteContent,
  type SiteFile,
  siteFile,
  type ValueOf,
} from "../../site-files/site-file.server.ts";
import type { Contact } from "../brand/contact-file.server.ts";
import type { SiteSettings } from "../brand/files.server.ts";
import type { NetworkCity } from "../brand/network-file.server.ts";
import type { NewsletterTexts } from "../newsletter/files.server.ts";

export const navigationFile = siteFile(
  "navigation.yaml",
  z.strictObject({
    /** The header's links. Only the menu on small screens shows the groups and their headings. */
    main: z.array(z.strictObject({ heading: text, links: z.array(pageLink).min(1) })).min(1),
    /** Links that the header shows as buttons, next to the links in `main`. */
    apart: z.array(pageLink),
    /** Links at the end of the menu on small screens, and in the last line of the footer. */
    menu: z.array(pageLink),
    footer: z.strictObject({
      quick: z.array(pageLink),
      sections: z.array(pageLink),
      more: z.array(pageLink),
    }),
  }),
);

export type Navigation = ValueOf<typeof navigationFile>;

/** The short name as SVG outlines. The box is 0.72 em high, and its lower edge is the baseline. */
type Wordmark = { text: string; width: number; height: number; path: string };

const wordmarkPattern =
  /^<svg [^>]{0,200}viewBox="0 0 (\d{1,4}) (\d{1,4})"[^>]{0,200}>\s*<title>([^<]{1,100})<\/title>\s*<path d="([\w\s,.+-]{1,20000})"\/>\s*<\/svg>\s*$/;

/**
 * `newsroom city draw <city> wordmark.svg` creates this file. Without the file, the header shows
 * the name as text.
 */
export const wordmarkFile: SiteFile<Wordmark | null> = {
  path: "art/wordmark.svg",
  maxKilobytes: 64,
  parse(source) {
    const [, width, height, title, path] = wordmarkPattern.exec(source) ?? [];
    if (!title || !path)
      return {
        ok: false,
        problems: [
          {
            line: 1,
            field: "",
            message:
              "the file must be an SVG with a viewBox that starts at 0 0, a title and one path: create it with ./newsroom city draw <city> wordmark.svg",
          },
        ],
      };
    const value = { text: decodeXML(title), width: Number(width), height: Number(height), path };
    return { ok: true, value };
  },
  whenMissing: { value: null, effect: "the name of the site is shown as text" },
};

/** What the frame around the pages shows. */
export type LayoutContent = {
  brand: Pick<SiteSettings, "name" | "shortName" | "city" | "tagline" | "mark" | "social"> & {
    wordmark: Wordmark | null;
    /** The name of the network, and its cities that the footer names. */
    network: string;
    sisters: NetworkCity[];
  };
  navigation: Navigation;
  contact: Contact;
  newsletter: Pick<NewsletterTexts, "heading" | "pitch">;
  donationUrl: string | undefined;
  /** The years in the copyright line, such as 2023–2026. */
  years: string;
};

/** The links of the header and the footer, without those to pages that the city does not have. */
export function readNavigation(site: SiteContent): Navigation {
  const { main, apart, menu, footer } = site.read(navigationFile);
  const select = (links: Navigation["menu"]) => links.filter(({ to }) => site.hasPage(to));
  const { quick, sections, more } = footer;
  return {
    main: main
      .map(({ heading, links }) => ({ heading, links: select(links) }))
      .filter(({ links }) => links.length > 0),
    apart: select(apart),
    menu: select(menu),
    footer: {
      quick: select(quick),
      sections: select(sections),
      more: select(more),
    },
  };
}

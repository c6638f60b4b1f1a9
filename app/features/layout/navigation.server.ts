import type { SiteContent } from "../../site-files/site-file.server.ts";
import { type Navigation, navigationFile } from "./files.server.ts";

/** The links of the header and the footer, without those to pages that the city does not have. */
export function readNavigation(site: SiteContent): Navigation {
  const { main, apart, menu, footer } = site.read(navigationFile);
  const select = (links: Navigation["menu"]) => links.filter(({ to }) => site.has(to));
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

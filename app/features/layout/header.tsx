import { useRef } from "react";
import { artPath } from "../../lib/images/art.ts";
import { ExternalLink } from "../../ui/external-link.tsx";
import { usePanel } from "../../ui/hooks/use-panel.ts";
import { CloseIcon, MenuIcon, SearchIcon } from "../../ui/icons.tsx";
import { Link, NavLink } from "../../ui/link.tsx";
import { DisplayButton } from "../device/display/display-button.tsx";
import { SavedLink } from "../saved/saved-link.tsx";
import { SearchBox } from "../search/pages/search-box.tsx";
import type { LayoutContent } from "./files.server.ts";
import { SocialLinks } from "./social-links.tsx";

type Props = Pick<LayoutContent, "brand" | "navigation" | "donationUrl">;

/** On these screens, header.css shows the search box in the header itself and not in a panel. */
const searchInHeader = "(min-width: 48rem)";
/** On these screens, header.css shows the links in the header itself and not in a panel. */
const linksInHeader = "(min-width: 64rem) and (min-height: 26.01rem)";

const apartLinkClass = "button button-plain min-h-10 px-4 py-1.5 text-sm";

/** The elements are in the order in which readers see them, on all screens. */
export function Header({ brand, navigation: { main, apart, menu: more }, donationUrl }: Props) {
  const search = useRef<HTMLDivElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  usePanel(search, searchInHeader);
  usePanel(menu, linksInHeader);
  return (
    <header className="site-header">
      <div className="page site-header-grid">
        <Link to="/" className="site-brand flex min-w-0 items-center gap-2.5 py-1">
          <img src={artPath(brand.mark)} alt="" width="36" height="36" className="flex-none" />
          <Wordmark brand={brand} />
        </Link>
        <button
          type="button"
          className="icon-button header-search:hidden"
          popoverTarget="site-search"
          aria-label="Search"
          data-tooltip="Search"
        >
          <SearchIcon />
        </button>
        <div id="site-search" popover="auto" className="site-panel site-search" ref={search}>
          <SearchBox label="Site" isMain />
        </div>
        <DisplayButton />
        <button
          type="button"
          className="icon-button site-menu-button header-links:hidden"
          popoverTarget="site-menu"
        >
          <span className="site-menu-closed">
            <MenuIcon />
            Menu
          </span>
          <span className="site-menu-open">
            <CloseIcon />
            Close
          </span>
        </button>
        <div
          id="site-menu"
          popover="auto"
          className="site-panel site-menu"
          data-summary="Menu"
          ref={menu}
        >
          <div className="mb-5 flex flex-wrap items-center gap-2 header-links:col-4 header-links:mb-0">
            <SavedLink className={apartLinkClass} />
            {apart.map(({ label, to }) => (
              <Link key={to} to={to} className={apartLinkClass}>
                {label}
              </Link>
            ))}
            <SocialLinks accounts={brand.social} className="-mx-2.5 sm:ml-auto" />
          </div>
          <nav aria-label="Main" className="site-menu-links">
            {main.map(({ heading, links }) => (
              <div key={heading} className="site-menu-group header-links:contents">
                <p className="site-menu-heading header-links:hidden">{heading}</p>
                {links.map(({ label, to }) => (
                  <NavLink key={to} to={to} end={to === "/"} className="site-menu-link">
                    {label}
                  </NavLink>
                ))}
              </div>
            ))}
          </nav>
          <nav aria-label="More" className="site-menu-group mt-5 header-links:hidden">
            <p className="site-menu-heading">More</p>
            {more.map(({ label, to }) => (
              <NavLink key={to} to={to} end className="site-menu-link">
                {label}
              </NavLink>
            ))}
            {donationUrl && (
              <ExternalLink href={donationUrl} className="site-menu-link">
                Donate
              </ExternalLink>
            )}
          </nav>
        </div>
      </div>
    </header>
  );
}

/** The name of the site as outlines, which look the same before and after our fonts have loaded. */
function Wordmark({ brand: { shortName, city, wordmark } }: Pick<Props, "brand">) {
  return (
    <span className="wordmark">
      {wordmark?.text === shortName ? (
        <span>
          <span className="sr-only">{shortName}</span>
          <svg viewBox={`0 0 ${wordmark.width} ${wordmark.height}`} aria-hidden="true">
            <path d={wordmark.path} />
          </svg>
        </span>
      ) : (
        shortName
      )}{" "}
      <span className="text-ink-soft text-xs uppercase">{city}</span>
    </span>
  );
}

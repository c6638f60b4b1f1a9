import { useRef } from "react";
import { Link, NavLink } from "react-router";
import { artPath } from "../../lib/art.ts";
import type { PageLink } from "../../lib/site-fields.server.ts";
import { MenuIcon } from "../../ui/icons.tsx";
import type { SocialAccount } from "../brand/files.server.ts";
import { SearchBox } from "../search/search-box.tsx";
import { SocialLinks } from "./social-links.tsx";
import { useMenuCloses } from "./use-menu-closes.ts";

type Props = {
  brand: { name: string; shortName: string; city: string; mark: string; social: SocialAccount[] };
  main: PageLink[];
  apart: PageLink[];
};

export function Header({ brand, main, apart }: Props) {
  const menu = useRef<HTMLDivElement>(null);
  useMenuCloses(menu);
  return (
    <header className="site-header">
      <div className="page site-header-grid">
        <Link to="/" className="flex min-w-0 items-center gap-2.5 py-2">
          <img src={artPath(brand.mark)} alt="" width="36" height="36" />
          {/* Where there is no room for the city's name it wraps onto a line that is not shown. */}
          <span className="flex h-[1.2em] min-w-0 flex-wrap items-baseline gap-x-2.5 overflow-hidden font-semibold font-serif text-[min(1.6rem,7vw)] leading-[1.2] tracking-tight">
            {brand.shortName}{" "}
            <span className="font-medium font-sans text-ink-soft text-xs uppercase tracking-[0.14em]">
              {brand.city}
            </span>
          </span>
        </Link>
        <button
          type="button"
          className="icon-button site-menu-button -mr-2 gap-2 px-2 font-semibold"
          popoverTarget="site-menu"
        >
          <MenuIcon />
          Menu
        </button>
        <div id="site-menu" popover="auto" className="site-menu" ref={menu}>
          <SearchBox label="Site" isMain />
          <div className="mt-4 flex flex-wrap items-center gap-2 lg:mt-0">
            {apart.map(({ label, to }) => (
              <Link key={to} to={to} className="button button-plain min-h-10 px-4 py-1.5 text-sm">
                {label}
              </Link>
            ))}
            <SocialLinks accounts={brand.social} className="-mr-2.5 ml-auto lg:ml-2" />
          </div>
          <nav aria-label="Main" className="site-menu-links">
            {main.map(({ label, to }) => (
              <NavLink key={to} to={to} end={to === "/"} className="site-menu-link">
                {label}
              </NavLink>
            ))}
          </nav>
        </div>
      </div>
    </header>
  );
}

import { Link, NavLink } from "react-router";
import type { PageLink } from "../../lib/site/site-fields.server.ts";
import type { SocialAccount } from "../brand/files.server.ts";
import { SavedLink } from "../saved/saved-link.tsx";
import type { Navigation } from "./files.server.ts";
import { SocialLinks } from "./social-links.tsx";

type Props = { main: Navigation["main"]; apart: PageLink[]; social: SocialAccount[] };

const apartLinkClass = "button button-plain min-h-10 px-4 py-1.5 text-sm";

export function MenuLinks({ main, apart, social }: Props) {
  return (
    <>
      <nav aria-label="Main" className="site-menu-links">
        {main.map(({ heading, links }) => (
          <div key={heading} className="site-menu-group">
            <p className="site-menu-heading">{heading}</p>
            {links.map(({ label, to }) => (
              <NavLink key={to} to={to} end={to === "/"} className="site-menu-link">
                {label}
              </NavLink>
            ))}
          </div>
        ))}
      </nav>
      <div className="site-menu-apart">
        <SavedLink className={apartLinkClass} />
        {apart.map(({ label, to }) => (
          <Link key={to} to={to} className={apartLinkClass}>
            {label}
          </Link>
        ))}
        <SocialLinks accounts={social} className="-mr-2.5 ml-auto" />
      </div>
    </>
  );
}

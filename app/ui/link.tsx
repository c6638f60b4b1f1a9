import type { ComponentProps, MouseEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { ownPath } from "../lib/links/own-path.ts";

type LinkProps = Omit<ComponentProps<"a">, "href"> & {
  /** The path of a page, or a URL on any site. */
  to: string;
  /** What the browser's history stores with the page. */
  state?: unknown;
  preventScrollReset?: boolean;
  reloadDocument?: boolean;
};

/** Whether the browser would open the link in this tab. */
export const opensHere = (
  event: Pick<MouseEvent, "button" | "metaKey" | "ctrlKey" | "shiftKey" | "altKey">,
  link: HTMLAnchorElement,
): boolean =>
  event.button === 0 &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) &&
  !link.hasAttribute("download") &&
  (link.target === "" || link.target === "_self");

/**
 * A link to a page of ours, which the router opens. React Router's own link resolves its path on
 * every render, which took a sixth of the time for a page; our paths are complete.
 */
export function Link(props: LinkProps) {
  const { to, state, preventScrollReset, reloadDocument, onClick, ...rest } = props;
  const navigate = useNavigate();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const link = event.currentTarget;
    if (event.defaultPrevented || reloadDocument || !opensHere(event, link)) return;
    if (link.origin !== location.origin) return;
    event.preventDefault();
    const isThisPage = to === ownPath(location);
    navigate(to, { state, preventScrollReset, replace: isThisPage });
  };
  return <a {...rest} href={to} onClick={follow} />;
}

type NavLinkProps = LinkProps & {
  /** Whether the pages below this one do not count as this page. */
  end?: boolean;
};

export function NavLink({ to, end = false, ...rest }: NavLinkProps) {
  const { pathname } = useLocation();
  const isCurrent = pathname === to || (!end && pathname.startsWith(`${to}/`));
  return <Link {...rest} to={to} aria-current={isCurrent ? "page" : undefined} />;
}

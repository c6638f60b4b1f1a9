import type { ReactNode } from "react";
import { newTabNote } from "../lib/links/external-links.ts";

type Props = {
  href: string;
  className?: string;
  onClick?: () => void;
  children: ReactNode;
};

/** A link that leaves the site: a new tab, said to those who cannot see it open. */
export function ExternalLink({ href, className, onClick, children }: Props) {
  return (
    <a href={href} className={className} onClick={onClick} target="_blank" rel="noopener">
      {children}
      <span className="sr-only">{newTabNote}</span>
    </a>
  );
}

import { Fragment, type ReactNode } from "react";
import { newTabNote } from "../lib/links/external-links.ts";

type Props = {
  href: string;
  className?: string;
  onClick?: () => void;
  children: ReactNode;
};

/** A link to another site. It opens a new tab, and tells screen readers so. */
export function ExternalLink({ href, className, onClick, children }: Props) {
  return (
    <a href={href} className={className} onClick={onClick} target="_blank" rel="noopener">
      {children}
      <span className="sr-only">{newTabNote}</span>
    </a>
  );
}

export const ExternalLinks = ({ links }: { links: { name: string; url: string }[] }) =>
  links.map(({ name, url }, index) => (
    <Fragment key={name}>
      {index > 0 && ", "}
      <ExternalLink href={url} className="text-link">
        {name}
      </ExternalLink>
    </Fragment>
  ));

import type { ReactNode } from "react";
import { ExternalLink } from "./external-link.tsx";
import { ExternalLinkIcon } from "./icons.tsx";
import { Link } from "./link.tsx";

type Props = {
  /** The path of a page of ours, or a URL on another site. */
  to: string;
  className?: string;
  /** Whether an icon shows that the link leads to another site. */
  hasIcon?: boolean;
  children: ReactNode;
};

export const AnyLink = ({ to, className, hasIcon = false, children }: Props) =>
  to.startsWith("/") ? (
    <Link to={to} className={className}>
      {children}
    </Link>
  ) : (
    <ExternalLink href={to} className={className}>
      {children}
      {hasIcon && <ExternalLinkIcon />}
    </ExternalLink>
  );

import type { ReactNode } from "react";
import { AnyLink } from "./any-link.tsx";
import { Link } from "./link.tsx";

type Block = { label: string; to: string; children: ReactNode };

export function TitleBlock({ label, to, children }: Block) {
  return (
    <section className="title-block">
      <h2 className="text-xl/[1.3]">
        <Link to={to} className="title-block-link">
          {label}
        </Link>
      </h2>
      {children}
    </section>
  );
}

/** The level of the titles, below that of the heading above the list. */
export type TitleTag = "h3" | "h4";

type ListProps = { items: TitleItem[]; titleTag?: TitleTag };

export type TitleItem = { to: string; title: string; facts?: string; isSample?: boolean };

/** Titles of our own pages, or of headlines, each with a line of facts. */
export function TitleList({ items, titleTag: Title = "h3" }: ListProps) {
  return (
    <ul className="title-list">
      {items.map(({ to, title, facts, isSample }) => (
        <li key={to}>
          <article>
            <Title className="title-list-title">
              <AnyLink to={to} className="cover-link" hasIcon>
                {title}
              </AnyLink>
            </Title>
            {facts !== undefined && (
              <p className="title-list-facts">
                {facts} {isSample && <span className="mark ml-2">Sample</span>}
              </p>
            )}
          </article>
        </li>
      ))}
    </ul>
  );
}

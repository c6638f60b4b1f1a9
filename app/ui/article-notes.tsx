import { Fragment } from "react";
import type { ShownCorrection, ShownDate } from "../lib/article-dates.ts";
import { Link } from "./link.tsx";

type LineProps = { published: ShownDate; updated: ShownDate | null };

/** When the article was published, and when it last changed in a way that matters to readers. */
export function PublishedLine({ published, updated }: LineProps) {
  return (
    <>
      <span>
        Published <time dateTime={published.iso}>{published.text}</time>
      </span>
      {updated && (
        <span>
          Updated <time dateTime={updated.iso}>{updated.text}</time>
        </span>
      )}
    </>
  );
}

type BylineProps = {
  /** The names, each with the path of the page about the author if there is one. */
  authors: { name: string; to: string | null }[];
};

/** "By Ada Byrd, Lee Diaz and Sam Cole". A name is a link if there is a page for it. */
export function Byline({ authors }: BylineProps) {
  return (
    <span>
      By{" "}
      {authors.map(({ name, to }, index) => (
        <Fragment key={name}>
          {index > 0 && (index === authors.length - 1 ? " and " : ", ")}
          {to === null ? (
            <span className="font-semibold text-ink">{name}</span>
          ) : (
            <Link to={to} className="text-link font-semibold">
              {name}
            </Link>
          )}
        </Fragment>
      ))}
    </span>
  );
}

export function Corrections({ items }: { items: ShownCorrection[] }) {
  if (items.length === 0) return null;
  return (
    <section
      id="corrections"
      aria-label={items.length === 1 ? "Correction" : "Corrections"}
      className="callout mt-10 max-w-2xl space-y-3"
    >
      {items.map(({ date, text }) => (
        <p key={`${date.iso} ${text}`}>
          <strong className="font-semibold">
            Correction, <time dateTime={date.iso}>{date.text}</time>:
          </strong>{" "}
          {text}
        </p>
      ))}
    </section>
  );
}

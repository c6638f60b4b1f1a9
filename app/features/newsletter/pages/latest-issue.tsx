import { AnyLink } from "../../../ui/any-link.tsx";
import { Link } from "../../../ui/link.tsx";
import type { ShownIssue, ShownItem } from "../model.ts";

/** The items of each section that are shown at first, so that the form is not too far away. */
const firstItems = 3;

const introductions = {
  issue: "The latest issue",
  brief: "Our first newsletter has not been sent yet. Until then, this is our daily brief",
};

/** An issue as a letter: what a subscriber got, without anything about the subscriber. */
export function LatestIssue({ issue }: { issue: ShownIssue }) {
  return (
    <section aria-labelledby="latest-issue" className="sheet mt-6 p-[clamp(1.25rem,4vw,2.5rem)]">
      <p className="text-ink-soft text-sm">{introductions[issue.kind]}</p>
      <h2 id="latest-issue" className="mt-1 text-2xl md:text-3xl">
        {issue.title}
      </h2>
      {issue.sections.map(({ heading, items }) => (
        <section key={heading} className="mt-6 border-line border-t pt-4">
          <h3 className="text-lg">{heading}</h3>
          <Items items={items.slice(0, firstItems)} />
          {items.length > firstItems && (
            <details className="mt-3">
              <summary className="py-1 font-semibold text-accent text-sm">
                {items.length - firstItems} more
              </summary>
              <Items items={items.slice(firstItems)} />
            </details>
          )}
        </section>
      ))}
      {issue.kind === "brief" && (
        <p className="mt-6">
          <Link to="/brief" className="text-link inline-block py-1 font-semibold">
            Read the whole brief
          </Link>
        </p>
      )}
    </section>
  );
}

function Items({ items }: { items: ShownItem[] }) {
  return (
    <ul className="mt-2 space-y-3">
      {items.map((item) => (
        <li key={`${item.to} ${item.title}`}>
          <ItemTitle item={item} />
          {item.line !== "" && <p className="text-ink-soft text-sm">{item.line}</p>}
        </li>
      ))}
    </ul>
  );
}

function ItemTitle({ item: { title, to } }: { item: ShownItem }) {
  if (to === null) return <span className="font-semibold">{title}</span>;
  return (
    <AnyLink to={to} className="text-link inline-block py-0.5 font-semibold">
      {title}
    </AnyLink>
  );
}

import type { ReactNode } from "react";
import { Link } from "../../ui/link.tsx";
import { Prose } from "../../ui/prose.tsx";
import type { LegalText } from "./files.server.ts";

type Props = {
  text: LegalText;
  other: { title: string; to: string };
  children?: ReactNode;
};

export function LegalPage({ text, other, children }: Props) {
  return (
    <article className="page pt-8 lg:pt-10">
      <h1 className="kicker">{text.title}</h1>
      <p className="mt-4 text-ink-soft">Last updated: {text.updated}</p>
      {text.disclosures.map((disclosure) => (
        <p key={disclosure} className="mt-6 max-w-2xl border-crab border-l-4 bg-surface p-4">
          {disclosure}
        </p>
      ))}
      <div className="mt-8 gap-16 lg:grid lg:grid-cols-[minmax(0,42rem)_1fr]">
        <Prose html={text.html} />
        <nav aria-label="On this page" className="hidden lg:block">
          <ul className="sticky top-header border-line border-l">
            {text.headings.map(({ id, text: heading }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="block py-1.5 pl-5 text-ink-soft text-sm hover:text-accent"
                >
                  {heading}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      {children}
      <p className="mt-12 border-line border-t pt-6">
        See also our{" "}
        <Link to={other.to} className="text-link">
          {other.title}
        </Link>
        .
      </p>
    </article>
  );
}

import { Link } from "react-router";

export type LegalText = { title: string; description: string; updated: string; html: string };

type Props = { text: LegalText; other: { title: string; to: string } };

export function LegalPage({ text, other }: Props) {
  return (
    <article className="page pt-10 lg:pt-16">
      <h1 className="kicker text-4xl md:text-6xl">{text.title}</h1>
      <p className="mt-4 text-ink-soft">Last updated: {text.updated}</p>
      {/* Made from the site's own Markdown on the server, through an allow-list. */}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised in markdown.server.ts */}
      <div className="prose mt-8" dangerouslySetInnerHTML={{ __html: text.html }} />
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

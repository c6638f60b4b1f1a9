import type { ShownDate } from "../../../lib/article-dates.ts";
import { Link } from "../../../ui/link.tsx";

type ListedCorrection = { title: string; path: string; text: string; date: ShownDate };

type Props = { head: { heading: string; intro: string }; corrections: ListedCorrection[] };

export function CorrectionsPage({ head, corrections }: Props) {
  return (
    <div className="page pt-8 lg:pt-10">
      <h1 className="kicker">{head.heading}</h1>
      <p className="mt-4 max-w-3xl text-ink-soft text-lg md:text-xl">{head.intro}</p>
      <p className="mt-4">
        <Link to="/contact#message" className="text-link font-semibold">
          Report a mistake
        </Link>
      </p>
      {corrections.length === 0 ? (
        <p className="callout mt-10 max-w-2xl">
          No corrections so far. That does not mean that we made no mistakes: if you found one,
          please tell us.
        </p>
      ) : (
        <ol className="mt-10 max-w-3xl border-line border-t">
          {corrections.map(({ title, path, text, date }) => (
            <li key={`${path} ${date.iso} ${text}`} className="border-line border-b py-5">
              <time dateTime={date.iso} className="text-ink-soft text-sm">
                {date.text}
              </time>
              <h2 className="mt-1 text-xl md:text-2xl">
                <Link to={`${path}#corrections`} className="text-link">
                  {title}
                </Link>
              </h2>
              <p className="mt-2 max-w-2xl">{text}</p>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

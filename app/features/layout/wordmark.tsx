import type { Wordmark as Outlines } from "./files.server.ts";

type Props = { brand: { shortName: string; city: string; wordmark: Outlines | null } };

/**
 * The name of the site. Outlines look the same before and after our fonts have loaded; the text is
 * there for screen readers. Outlines of a different name are not used.
 */
export function Wordmark({ brand: { shortName, city, wordmark } }: Props) {
  return (
    // If there is no room for the city's name, it wraps onto a second line, which is hidden.
    <span className="flex h-[1.2em] min-w-0 flex-wrap items-baseline gap-x-2.5 overflow-hidden font-semibold font-serif text-[min(1.6rem,7vw)] leading-[1.2] tracking-tight">
      {wordmark?.text === shortName ? (
        <span>
          <span className="sr-only">{shortName}</span>
          <svg
            viewBox={`0 0 ${wordmark.width} ${wordmark.height}`}
            className="inline h-[0.72em] w-auto overflow-visible fill-current align-baseline"
            aria-hidden="true"
          >
            <path d={wordmark.path} />
          </svg>
        </span>
      ) : (
        shortName
      )}{" "}
      <span className="font-medium font-sans text-ink-soft text-xs uppercase tracking-[0.14em]">
        {city}
      </span>
    </span>
  );
}

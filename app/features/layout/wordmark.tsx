import type { Wordmark as Outlines } from "./files.server.ts";

type Props = { brand: { shortName: string; city: string; wordmark: Outlines | null } };

/** The name of the site. Outlines look the same before and after our fonts have loaded. */
export function Wordmark({ brand: { shortName, city, wordmark } }: Props) {
  return (
    <span className="wordmark">
      {wordmark?.text === shortName ? (
        <span>
          <span className="sr-only">{shortName}</span>
          <svg viewBox={`0 0 ${wordmark.width} ${wordmark.height}`} aria-hidden="true">
            <path d={wordmark.path} />
          </svg>
        </span>
      ) : (
        shortName
      )}{" "}
      <span className="text-ink-soft text-xs uppercase">{city}</span>
    </span>
  );
}

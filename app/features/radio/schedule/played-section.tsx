import type { PlayedItem } from "./model.ts";

const shownCount = 8;

/** What was played in the last hour, the latest first. */
export function PlayedSection({ played }: { played: PlayedItem[] }) {
  const [shown, earlier] = [played.slice(0, shownCount), played.slice(shownCount)];
  return (
    <section aria-labelledby="played">
      <h2 id="played" className="kicker text-2xl md:text-3xl">
        Played in the Last Hour
      </h2>
      {played.length === 0 ? (
        <p className="mt-4 text-ink-soft">
          Nothing to list yet. Titles appear here as the station plays them.
        </p>
      ) : (
        <PlayedList items={shown} />
      )}
      {earlier.length > 0 && (
        <details>
          <summary className="text-link inline-block py-2 font-semibold">
            Earlier in this hour
          </summary>
          <PlayedList items={earlier} />
        </details>
      )}
    </section>
  );
}

function PlayedList({ items }: { items: PlayedItem[] }) {
  return (
    <ol className="mt-3 divide-y divide-line">
      {items.map(({ startedAt, time, title }) => (
        <li key={startedAt} className="grid grid-cols-[5rem_1fr] items-baseline gap-3 py-2.5">
          <time dateTime={startedAt} className="text-ink-soft text-sm">
            {time}
          </time>
          {/* A title of a relayed station may be in any language and direction. */}
          <bdi className="min-w-0 break-words">{title}</bdi>
        </li>
      ))}
    </ol>
  );
}

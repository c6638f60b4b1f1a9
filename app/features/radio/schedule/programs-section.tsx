import { Badge } from "../../../ui/badge.tsx";
import type { BroadcastItem, DayGroup, PlayedItem } from "../model.ts";

type Props = { now: BroadcastItem | null; next: BroadcastItem[]; isSample: boolean };

export function ProgramsSection({ now, next, isSample }: Props) {
  return (
    <section aria-labelledby="programs">
      <h2 id="programs" className="kicker text-2xl md:text-3xl">
        Programs
      </h2>
      {isSample && (
        <p className="mt-3">
          <Badge>Sample schedule</Badge>
        </p>
      )}
      <div className="callout radio-now">
        <h3 className="font-sans font-semibold text-sm">On now</h3>
        {now ? (
          <>
            <p className="mt-1 font-semibold font-serif text-xl leading-snug">{now.title}</p>
            <ProgramDetails {...now} when={now.hours} />
          </>
        ) : (
          <p className="mt-1 text-ink-soft">No program is listed for this hour.</p>
        )}
      </div>
      {next.length > 0 && (
        <>
          <h3 className="mt-6 font-sans font-semibold text-sm">Up next</h3>
          <ol className="divide-y divide-line">
            {next.map((broadcast) => (
              <li key={broadcast.startsAt} className="py-3">
                <p className="font-semibold font-serif text-lg leading-snug">{broadcast.title}</p>
                <ProgramDetails {...broadcast} when={`${broadcast.day}, ${broadcast.hours}`} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

type Details = { when: string; text: string | null; host: string | null };

function ProgramDetails({ when, text, host }: Details) {
  return (
    <>
      <p className="text-ink-soft text-sm">{host ? `${when} · with ${host}` : when}</p>
      {text && <p className="mt-0.5 text-sm">{text}</p>}
    </>
  );
}

const shownCount = 8;

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

/** The whole week, like the guide in a newspaper. */
export function WeekSection({ week, city }: { week: DayGroup[]; city: string }) {
  return (
    <section className="mt-12" aria-labelledby="week">
      <h2 id="week" className="kicker text-2xl md:text-3xl">
        The Week on the Air
      </h2>
      <p className="mt-2 text-ink-soft text-sm">All times are {city} time.</p>
      <div className="mt-5 grid grid-cols-[repeat(auto-fit,minmax(min(100%,22rem),1fr))] gap-8">
        {week.map(({ days, programs }) => (
          <section key={days} aria-label={days}>
            <h3 className="border-line border-b pb-2 text-lg">{days}</h3>
            <ul className="divide-y divide-line">
              {programs.map(({ hours, title }) => (
                <li key={hours} className="flex flex-wrap items-baseline gap-x-3 py-2.5">
                  <span className="flex-[0_1_10rem] text-ink-soft text-sm">{hours}</span>
                  <span className="flex-[1_1_7rem] font-semibold">{title}</span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}

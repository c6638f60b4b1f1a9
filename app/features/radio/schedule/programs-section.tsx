import { Badge } from "../../../ui/badge.tsx";
import type { BroadcastItem } from "./model.ts";

type Props = { now: BroadcastItem | null; next: BroadcastItem[]; isSample: boolean };

/** The program that is on now, and the next ones. */
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

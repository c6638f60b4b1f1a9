import type { DayGroup } from "./model.ts";

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

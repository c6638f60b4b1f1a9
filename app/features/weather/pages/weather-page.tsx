import type { ReactNode } from "react";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { Link } from "../../../ui/link.tsx";
import type { WeatherReport } from "../report.server.ts";
import { HourlyChart } from "./hourly-chart.tsx";

type Props = {
  title: string;
  report: WeatherReport;
  /** What is more important than the weather: official alerts. */
  children: ReactNode;
};

export function WeatherPage({ title, report, children }: Props) {
  const { now, today, tomorrow, days, hours, sun, air } = report;
  const isKnown = now !== null || days.length > 0 || hours.length > 0;
  return (
    <div className="page pt-8 lg:pt-10">
      <h1 className="kicker">{title}</h1>
      {children}
      {!isKnown && (
        <p className="callout mt-6 max-w-2xl">
          We have no weather report at the moment. We show none that is older than three hours.
        </p>
      )}
      <div className="mt-6 grid gap-x-14 gap-y-8 md:grid-cols-2">
        {now && (
          <Part id="now" title="Now">
            <p className="flex items-baseline gap-4">
              <span className="font-serif text-6xl">{now.temperature}°</span>
              <span className="text-xl">{now.text}</span>
            </p>
            <dl className="mt-2 flex flex-wrap gap-x-6 text-ink-soft">
              {now.facts.map(({ label, value }) => (
                <div key={label} className="flex gap-1">
                  <dt>{label}:</dt>
                  <dd className="font-semibold text-ink">{value}</dd>
                </div>
              ))}
            </dl>
            <p className="mt-2 text-ink-soft text-sm">
              Measured {now.station && `at ${now.station}, `}
              <time dateTime={now.time.iso}>{now.time.shown}</time>
            </p>
          </Part>
        )}
        <Part id="sun" title={air ? "Sun and air" : "Sun"}>
          {sun.length === 0 && <p>The sun does not rise or set today.</p>}
          <dl>
            {sun.map(({ name, rise, set }) => (
              <div key={name} className="flex flex-wrap gap-x-3">
                <dt className="font-semibold">{name}</dt>
                <dd>
                  Sunrise <time dateTime={rise.iso}>{rise.shown}</time>, sunset{" "}
                  <time dateTime={set.iso}>{set.shown}</time>
                </dd>
              </div>
            ))}
            {air && (
              <div className="mt-2">
                <dt className="font-semibold">Air quality</dt>
                <dd>
                  {air.category}, index {air.index} ({air.pollutant})
                  <span className="block text-ink-soft text-sm">
                    {air.area}, <time dateTime={air.time.iso}>{air.time.shown}</time>, {air.source}
                  </span>
                </dd>
              </div>
            )}
          </dl>
        </Part>
        {today.length > 0 && <Periods id="today" title="Today" periods={today} />}
        {tomorrow.length > 0 && <Periods id="tomorrow" title="Tomorrow" periods={tomorrow} />}
      </div>
      {hours.length > 1 && (
        <Part id="hours" title="Hour by hour" className="mt-8">
          <HourlyChart hours={hours} />
        </Part>
      )}
      {days.length > 0 && (
        <Part id="days" title="Seven days" className="mt-8">
          <Days days={days} />
        </Part>
      )}
      <p className="mt-8 max-w-3xl text-ink-soft text-sm">
        {isKnown && (
          <>
            From the{" "}
            <ExternalLink href="https://www.weather.gov/" className="text-link">
              National Weather Service
            </ExternalLink>
            . Temperatures are in degrees Fahrenheit.{" "}
          </>
        )}
        We fetch the weather for all readers, so your browser asks nobody else.{" "}
        <Link to="/status" className="text-link">
          Status of our sources
        </Link>
      </p>
    </div>
  );
}

type PartProps = { id: string; title: string; className?: string; children: ReactNode };

const Part = ({ id, title, className = "", children }: PartProps) => (
  <section aria-labelledby={id} className={`border-line border-t pt-3 ${className}`}>
    <h2 id={id} className="mb-2 text-2xl">
      {title}
    </h2>
    {children}
  </section>
);

type PeriodsProps = { id: string; title: string; periods: WeatherReport["today"] };

const Periods = ({ id, title, periods }: PeriodsProps) => (
  <Part id={id} title={title}>
    {periods.map(({ name, temperature, isDaytime, details }) => (
      <div key={name} className="mt-2">
        <h3 className="font-sans text-base tracking-normal">
          {name}: {isDaytime ? "high" : "low"} {temperature}°
        </h3>
        <p className="text-ink-soft">{details}</p>
      </div>
    ))}
  </Part>
);

const showDegrees = (temperature: number | null) =>
  temperature === null ? "–" : `${temperature}°`;

const Days = ({ days }: Pick<WeatherReport, "days">) => (
  <table className="weather-days w-full text-left">
    <thead>
      <tr className="text-ink-soft text-sm">
        {["Day", "High", "Low", "Rain or snow", "Forecast"].map((label) => (
          <th key={label} scope="col" className="font-semibold">
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {days.map(({ day, name, high, low, rain, text }) => (
        <tr key={day} className="border-line border-t">
          <th scope="row" className="font-semibold">
            <time dateTime={day}>{name}</time>
          </th>
          <td>{showDegrees(high)}</td>
          <td>{showDegrees(low)}</td>
          <td>{rain === null ? "–" : `${rain}%`}</td>
          <td className="text-ink-soft">{text}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

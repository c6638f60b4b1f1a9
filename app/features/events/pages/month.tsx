import { Link } from "../../../ui/link.tsx";
import type { Month } from "../listing/select.server.ts";
import { eventsPath, type Filter, filterHref } from "../model.ts";
import { WallDays } from "./wall.tsx";

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const maxEventsInCell = 3;

/**
 * A month as a table and, below it, the same days as a list with more details: on small screens,
 * the table has no room for titles.
 */
export function MonthView({ month, filter }: { month: Month; filter: Filter }) {
  const monthLink = (to: string | null, label: string) =>
    to && (
      <Link to={filterHref(eventsPath, { ...filter, month: to })} className="button button-plain">
        {label}
      </Link>
    );
  return (
    <div>
      <div className="head-row">
        <h2 className="text-3xl">{month.heading}</h2>
        <nav aria-label="Months" className="flex flex-wrap gap-2">
          {monthLink(month.previous, "Previous month")}
          {monthLink(month.next, "Next month")}
        </nav>
      </div>
      <table className="month mt-5">
        <caption className="sr-only">Events in {month.heading}</caption>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col">
                <span className="sr-only">{name}</span>
                <span aria-hidden="true">
                  {name.slice(0, 1)}
                  <span className="max-[26rem]:hidden">{name.slice(1, 3)}</span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {month.weeks.map((week) => (
            <tr key={week.find((day) => day)?.day}>
              {week.map((day, index) => (
                <DayCell key={day?.day ?? weekdays[index]} day={day} filter={filter} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {month.days.length === 0 ? (
        <p className="mt-8 text-ink-soft text-lg">We have no events listed for {month.heading}.</p>
      ) : (
        <div className="month-list mt-8">
          <WallDays days={month.days} />
        </div>
      )}
    </div>
  );
}

type DayProps = { day: Month["weeks"][number][number]; filter: Filter };

function DayCell({ day, filter }: DayProps) {
  if (!day) return <td className="month-other" />;
  const { events } = day;
  return (
    <td aria-current={day.isToday ? "date" : undefined}>
      {events.length === 0 ? (
        <span className="month-number">{day.dayOfMonth}</span>
      ) : (
        <Link
          to={filterHref(eventsPath, { ...filter, month: null, day: day.day })}
          className="month-number month-day"
          aria-label={`${day.heading}: ${events.length} ${events.length === 1 ? "event" : "events"}`}
          rel="nofollow"
        >
          <span>{day.dayOfMonth}</span>
          <span className="month-count">{events.length}</span>
        </Link>
      )}
      <ul className="month-events">
        {events.slice(0, maxEventsInCell).map(({ path, title }) => (
          <li key={path}>
            <Link to={path}>{title}</Link>
          </li>
        ))}
        {events.length > maxEventsInCell && (
          <li className="text-ink-soft">{events.length - maxEventsInCell} more</li>
        )}
      </ul>
    </td>
  );
}

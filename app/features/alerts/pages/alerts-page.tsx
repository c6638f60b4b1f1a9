import { AnyLink } from "../../../ui/any-link.tsx";
import { Link } from "../../../ui/link.tsx";
import { Follow } from "../../../ui/share/follow.tsx";
import { alertFeedPath } from "../model.ts";
import type { ShownAlert } from "./page.server.ts";

type Props = { origin: string; running: ShownAlert[]; past: ShownAlert[] };

/** What runs now, and what ended in the past year. */
export function AlertsPage({ origin, running, past }: Props) {
  return (
    <div className="page pt-8 lg:pt-10">
      <div className="head-row">
        <h1 className="kicker">Alerts</h1>
        <Follow origin={origin} title="Alerts" feed={{ path: alertFeedPath }} />
      </div>
      <p className="mt-2 max-w-2xl text-ink-soft">
        When something concerns the whole city, every page of this site begins with it.
      </p>
      <section aria-labelledby="now" className="mt-8 max-w-3xl">
        <h2 id="now" className="text-2xl">
          Now
        </h2>
        {running.length === 0 ? (
          <p className="mt-2 text-lg">
            We know of no alert right now. The{" "}
            <Link to="/status" className="text-link">
              status of our sources
            </Link>{" "}
            says when we last heard from official services.
          </p>
        ) : (
          <AlertList alerts={running} />
        )}
      </section>
      <section aria-labelledby="past" className="mt-10 max-w-3xl">
        <h2 id="past" className="text-2xl">
          Past year
        </h2>
        {past.length === 0 ? (
          <p className="mt-2">No alert ended in the past year.</p>
        ) : (
          <AlertList alerts={past} />
        )}
      </section>
    </div>
  );
}

export const AlertList = ({ alerts }: { alerts: ShownAlert[] }) => (
  <ul>
    {alerts.map((alert) => (
      <li key={alert.id} id={alert.id} className="story-row">
        <article>
          <div className="min-w-0 flex-1">
            <h3 className="text-xl">
              {alert.link === null ? alert.text : <AnyLink to={alert.link}>{alert.text}</AnyLink>}
            </h3>
            <p className="mt-1 text-ink-soft text-sm/text">
              <span className={alert.isUrgent ? "font-semibold text-crab" : "font-semibold"}>
                {alert.level}
              </span>{" "}
              · {alert.times}
            </p>
          </div>
        </article>
      </li>
    ))}
  </ul>
);

import { AnyLink } from "../../../ui/any-link.tsx";
import type { ShownAlert } from "./page.server.ts";

/** Alerts with their times. */
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

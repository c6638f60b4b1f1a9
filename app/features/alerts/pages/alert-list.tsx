import { ExternalLink } from "../../../ui/external-link.tsx";
import { Link } from "../../../ui/link.tsx";
import type { ShownAlert } from "./page.server.ts";

/** Alerts with their times. */
export const AlertList = ({ alerts }: { alerts: ShownAlert[] }) => (
  <ul>
    {alerts.map((alert) => (
      <li key={alert.id} id={alert.id} className="story-row">
        <article>
          <div className="min-w-0 flex-1">
            <h3 className="text-xl">
              <AlertText {...alert} />
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

function AlertText({ text, link }: Pick<ShownAlert, "text" | "link">) {
  if (link === null) return text;
  if (link.startsWith("/")) return <Link to={link}>{text}</Link>;
  return <ExternalLink href={link}>{text}</ExternalLink>;
}

import { hash } from "node:crypto";
import { renderToStaticMarkup } from "react-dom/server";
import { CloseIcon } from "../../../ui/icons.tsx";
import { describeEnd, levelNames } from "../describe.ts";
import { type Alert, alertsPath, listRunning } from "../model.ts";

/** More alerts would push the page off a phone's screen. The last line links to the others. */
const maxShown = 3;

/**
 * The key that the reader's device stores when the reader dismisses an alert. An urgent alert
 * returns when its text changes, and an official one with the next message of its authority.
 */
function dismissalKey({ id, level, text, issuer, startsAt }: Alert): string {
  if (level !== "urgent") return id;
  const content = issuer === "official" ? text + startsAt.toISOString() : text;
  return `${id}.${hash("sha256", content, "base64url").slice(0, 8)}`;
}

/**
 * Renders the running alerts for the beginning of every page. An empty string if there are none.
 */
export function renderBanner(alerts: Alert[], now: Date, timeZone: string): string {
  const running = listRunning(alerts, now);
  return running.length === 0
    ? ""
    : renderToStaticMarkup(<BannerList running={running} timeZone={timeZone} />);
}

function BannerList({ running, timeZone }: { running: Alert[]; timeZone: string }) {
  const rest = running.length - maxShown;
  return (
    <aside aria-label="Alerts">
      {running.slice(0, maxShown).map((alert) => (
        <div
          key={alert.id}
          className={alert.level === "urgent" ? "alert alert-urgent" : "alert"}
          data-alert={dismissalKey(alert)}
          data-until={alert.endsAt.toISOString()}
        >
          <div className="page flex items-start justify-between gap-2">
            <p className="alert-text">
              <strong className="alert-label">{levelNames[alert.level]}</strong>{" "}
              {alert.link === null ? alert.text : <a href={alert.link}>{alert.text}</a>}{" "}
              <small className="alert-time">
                {describeEnd(alert, timeZone)}
                {alert === running.at(-1) && rest <= 0 && (
                  <>
                    {" · "}
                    <a href={alertsPath}>All alerts</a>
                  </>
                )}
              </small>
            </p>
            <button
              type="button"
              className="icon-button script-only no-print"
              data-dismiss=""
              aria-label="Dismiss this alert"
              data-tooltip="Dismiss"
            >
              <CloseIcon />
            </button>
          </div>
        </div>
      ))}
      {rest > 0 && (
        <div className="alert">
          <p className="page alert-text">
            <a href={alertsPath}>{rest === 1 ? "One more alert" : `${rest} more alerts`}</a>
          </p>
        </div>
      )}
    </aside>
  );
}

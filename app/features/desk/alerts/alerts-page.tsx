import { Form, Link } from "react-router";
import { maxAlertLength } from "../../alerts/model.ts";
import { logPath } from "../model.ts";
import type { RefusedAlert, TypedAlert } from "./model.ts";

export type DeskAlert = {
  id: string;
  text: string;
  level: string;
  /** When it runs, and where it comes from. */
  facts: string;
  /** Whether an editor put it up. Others change where they come from. */
  canChange: boolean;
  /** False for an alert that only the file has, because the database did not respond. */
  canEnd: boolean;
};

/** An official alert that waits for an editor. */
export type WaitingAlert = { key: string; headline: string; description: string; facts: string };

type Props = {
  alerts: DeskAlert[];
  waiting: WaitingAlert[];
  refused: RefusedAlert | null;
};

const emptyAlert: TypedAlert = { text: "", link: "", hours: "3", until: "" };

const hourChoices = [1, 3, 6, 12, 24];

/** What every page shows now, and the form that puts something there. */
export function DeskAlertsPage({ alerts, waiting, refused }: Props) {
  return (
    <>
      <h1 className="desk-heading">Alerts</h1>
      {refused && (
        <p role="alert" className="desk-error">
          {refused.message}
        </p>
      )}
      {waiting.length > 0 && <Waiting alerts={waiting} />}
      {alerts.length === 0 ? (
        <p className="desk-note">No alert is running.</p>
      ) : (
        <ul className="desk-list">
          {alerts.map((alert) => (
            <AlertRow
              // A closed form after its text was changed.
              key={alert.id + alert.text}
              {...alert}
              typed={refused?.id === alert.id ? refused.typed.text : ""}
            />
          ))}
        </ul>
      )}
      <NewAlert
        // A fresh form after an alert was put up.
        key={alerts.map(({ id }) => id).join()}
        typed={refused?.id === "" ? refused.typed : emptyAlert}
      />
      <p className="mt-6">
        <Link to={logPath} className="text-link">
          Log
        </Link>
      </p>
    </>
  );
}

const Waiting = ({ alerts }: { alerts: WaitingAlert[] }) => (
  <section aria-labelledby="official" className="desk-section">
    <h2 id="official" className="desk-subheading">
      Official alerts that wait for you
    </h2>
    <ul className="desk-list">
      {alerts.map(({ key, headline, description, facts }) => (
        <li key={key} className="desk-row">
          <div>
            <strong>{headline}</strong>
            <small>{facts}</small>
            {description && (
              <details className="desk-fold">
                <summary>Whole text</summary>
                <p className="whitespace-pre-line">{description}</p>
              </details>
            )}
          </div>
          <Form method="post" className="desk-actions">
            <input type="hidden" name="key" value={key} />
            <button type="submit" name="action" value="approve" className="desk-button">
              Show on every page<span className="sr-only">: {headline}</span>
            </button>
            <button type="submit" name="action" value="hide" className="desk-button">
              Hide<span className="sr-only">: {headline}</span>
            </button>
          </Form>
        </li>
      ))}
    </ul>
  </section>
);

function AlertRow({
  id,
  text,
  level,
  facts,
  canChange,
  canEnd,
  typed,
}: DeskAlert & { typed: string }) {
  return (
    <li className="desk-row">
      <p>
        <strong>{level}</strong> {text}
        <small>{facts}</small>
      </p>
      <Form method="post" className="desk-actions">
        <input type="hidden" name="id" value={id} />
        {canChange && (
          <button type="submit" name="action" value="extend" className="desk-button">
            One hour more<span className="sr-only">: {text}</span>
          </button>
        )}
        {canEnd && (
          <button type="submit" name="action" value="end" className="desk-button">
            End now<span className="sr-only">: {text}</span>
          </button>
        )}
      </Form>
      {canChange && (
        <details className="desk-fold w-full" open={typed !== ""}>
          <summary>Change the text</summary>
          <Form method="post" className="desk-form">
            <input type="hidden" name="id" value={id} />
            <label htmlFor={`text-${id}`}>Text on every page</label>
            <AlertText id={`text-${id}`} value={typed || text} />
            <button type="submit" name="action" value="change" className="button button-gold">
              Change it
            </button>
          </Form>
        </details>
      )}
    </li>
  );
}

const AlertText = ({ id, value }: { id: string; value: string }) => (
  <textarea
    id={id}
    name="text"
    rows={2}
    maxLength={maxAlertLength}
    required
    defaultValue={value}
    className="field"
  />
);

function NewAlert({ typed }: { typed: TypedAlert }) {
  return (
    <section aria-labelledby="new" className="desk-section">
      <h2 id="new" className="desk-subheading">
        Put a sentence on every page
      </h2>
      <Form method="post" className="desk-form">
        <label htmlFor="text">Text</label>
        <AlertText id="text" value={typed.text} />
        <label htmlFor="hours">Ends in</label>
        <select id="hours" name="hours" defaultValue={typed.hours || "3"} className="field">
          {hourChoices.map((hours) => (
            <option key={hours} value={hours}>
              {hours === 1 ? "1 hour" : `${hours} hours`}
            </option>
          ))}
        </select>
        <details className="desk-fold" open={typed.until !== "" || typed.link !== ""}>
          <summary>A link, or another end</summary>
          <label htmlFor="link">Link, such as /news or https://…</label>
          <input id="link" name="link" defaultValue={typed.link} className="field" />
          <label htmlFor="until">Ends at, such as 18:00 or 2026-11-20 18:00</label>
          <input id="until" name="until" defaultValue={typed.until} className="field" />
        </details>
        <div className="desk-actions">
          <button type="submit" name="action" value="notice" className="button button-gold">
            Put up as a notice
          </button>
          <button type="submit" name="action" value="urgent" className="desk-button desk-danger">
            Put up as urgent
          </button>
        </div>
      </Form>
    </section>
  );
}

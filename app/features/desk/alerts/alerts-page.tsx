import { useRef } from "react";
import { Form } from "react-router";
import { Link } from "../../../ui/link.tsx";
import { levelNames } from "../../alerts/describe.ts";
import { alertLevels, maxAlertLength } from "../../alerts/model.ts";
import { ErrorSummary } from "../../forms/form-shell.tsx";
import type { Refusal } from "../../forms/model.ts";
import { alertFormPath, logPath } from "../model.ts";
import { Notice, Press, StoredText } from "../pages/parts.tsx";
import type { AlertsContent, DeskAlert } from "./list.server.ts";

type Props = AlertsContent & { notice: string | undefined; refusal: Refusal | undefined };

const hourChoices = [1, 3, 6, 12, 24];

export function DeskAlertsPage({ alerts, past, notice, waiting, hidden, refusal }: Props) {
  return (
    <>
      <h1 className="desk-heading">Alerts</h1>
      <Notice notice={refusal ? undefined : notice} />
      {refusal && <ErrorSummary refusal={refusal} />}
      {waiting.length > 0 && (
        <Official
          id="waiting"
          heading="Official alerts that wait for you"
          alerts={waiting}
          canHide
        />
      )}
      {alerts.length === 0 ? (
        <p className="desk-note">No alert is running.</p>
      ) : (
        <ul className="desk-list">
          {alerts.map((alert) => (
            <AlertRow
              // A change gives the alert a new key, which closes its form.
              key={[alert.id, alert.text, alert.link, alert.level, alert.facts].join()}
              {...alert}
              typed={refusal?.typed.id === alert.id && refusal.typed.text ? refusal.typed : null}
            />
          ))}
        </ul>
      )}
      <NewAlert
        // A new alert changes the key, which empties the form.
        key={alerts.map(({ id }) => id).join()}
        typed={refusal && !refusal.typed.id ? refusal.typed : {}}
      />
      {hidden.length > 0 && (
        <Official id="hidden" heading="Official alerts that readers do not see" alerts={hidden} />
      )}
      {past.length > 0 && <Past alerts={past} />}
      <p className="mt-6">
        <Link to={logPath} className="text-link">
          Log
        </Link>
      </p>
    </>
  );
}

type OfficialProps = {
  id: string;
  heading: string;
  alerts: AlertsContent["waiting"];
  canHide?: boolean;
};

const Official = ({ id, heading, alerts, canHide = false }: OfficialProps) => (
  <section aria-labelledby={id} className="desk-section">
    <h2 id={id} className="desk-subheading">
      {heading}
    </h2>
    <ul className="desk-list">
      {alerts.map(({ key, headline, description, facts }) => (
        <li key={key} className="desk-row">
          <div>
            <strong>{headline}</strong>
            <small>{facts}</small>
            {description && (
              <details className="desk-fold">
                <summary className="fold">Whole text</summary>
                <p className="whitespace-pre-line">{description}</p>
              </details>
            )}
          </div>
          <Form method="post" className="desk-actions">
            <input type="hidden" name="key" value={key} />
            <Press value="approve">
              Show on every page<span className="sr-only">: {headline}</span>
            </Press>
            {canHide && (
              <Press value="hide">
                Hide<span className="sr-only">: {headline}</span>
              </Press>
            )}
          </Form>
        </li>
      ))}
    </ul>
  </section>
);

const Past = ({ alerts }: { alerts: DeskAlert[] }) => (
  <details className="desk-fold mt-6">
    <summary className="fold">Alerts that ended in the past days</summary>
    <ul className="desk-list">
      {alerts.map(({ id, text, facts }) => (
        <li key={id} className="desk-row">
          <p>
            {text}
            <small>{facts}</small>
          </p>
          <Delete id={id} text={text} />
        </li>
      ))}
    </ul>
  </details>
);

const Delete = ({ id, text }: Pick<DeskAlert, "id" | "text">) => (
  <details className="desk-fold w-full">
    <summary className="fold">It was a mistake</summary>
    <p className="desk-note">Deletes it from every page, the list of alerts and the brief.</p>
    <Form method="post" className="desk-actions">
      <input type="hidden" name="id" value={id} />
      <Press value="delete" look="desk-button desk-danger">
        Yes, delete it<span className="sr-only">: {text}</span>
      </Press>
    </Form>
  </details>
);

function AlertRow({
  id,
  text,
  link,
  level,
  levelName,
  facts,
  canChange,
  canEnd,
  seen,
  typed,
}: DeskAlert & { typed: Refusal["typed"] | null }) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <li className="desk-row">
      <p>
        <strong>{levelName}</strong> {text}
        <small>{facts}</small>
        {link && (
          <small>
            Link:{" "}
            <a href={link} className="text-link break-all">
              {link}
            </a>
          </small>
        )}
      </p>
      <Form method="post" className="desk-actions">
        <input type="hidden" name="id" value={id} />
        {canChange && (
          <Press value="extend">
            One hour more<span className="sr-only">: {text}</span>
          </Press>
        )}
        {canEnd && (
          <Press value="end">
            End now<span className="sr-only">: {text}</span>
          </Press>
        )}
      </Form>
      {canChange && (
        <details className="desk-fold w-full" open={typed !== null}>
          <summary className="fold">Change it</summary>
          <Form ref={form} method="post" className="desk-form">
            <StoredText path={alertFormPath(id)} form={form} />
            <input type="hidden" name="id" value={id} />
            <input type="hidden" name="seen" value={seen} />
            <label htmlFor={`text-${id}`}>Text on every page</label>
            <AlertText id={`text-${id}`} value={typed?.text ?? text} />
            <label htmlFor={`link-${id}`}>Link, such as /news or https://…</label>
            <input
              id={`link-${id}`}
              name="link"
              defaultValue={typed?.link ?? link}
              className="field"
            />
            <label htmlFor={`level-${id}`}>Level</label>
            <select
              id={`level-${id}`}
              name="level"
              defaultValue={typed?.level ?? level}
              className="field"
            >
              {alertLevels.map((each) => (
                <option key={each} value={each}>
                  {levelNames[each]}
                </option>
              ))}
            </select>
            <label htmlFor={`until-${id}`}>
              Another end, such as 18:00 or 2026-11-20 18:00 (optional)
            </label>
            <input id={`until-${id}`} name="until" defaultValue={typed?.until} className="field" />
            <Press value="change" look="button button-gold">
              Change it
            </Press>
          </Form>
        </details>
      )}
      {canChange && <Delete id={id} text={text} />}
    </li>
  );
}

const AlertText = ({ id, value }: { id: string; value: string | undefined }) => (
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

function NewAlert({ typed }: { typed: Refusal["typed"] }) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <section aria-labelledby="new" className="desk-section">
      <h2 id="new" className="desk-subheading">
        Put a sentence on every page
      </h2>
      <Form ref={form} method="post" className="desk-form">
        <StoredText path={alertFormPath("")} form={form} />
        <label htmlFor="text">Text</label>
        <AlertText id="text" value={typed.text} />
        <label htmlFor="hours">Ends in</label>
        <select id="hours" name="hours" defaultValue={typed.hours ?? "3"} className="field">
          {hourChoices.map((hours) => (
            <option key={hours} value={hours}>
              {hours === 1 ? "1 hour" : `${hours} hours`}
            </option>
          ))}
        </select>
        <details className="desk-fold" open={Boolean(typed.until || typed.link)}>
          <summary className="fold">A link, or another end</summary>
          <label htmlFor="link">Link, such as /news or https://…</label>
          <input id="link" name="link" defaultValue={typed.link} className="field" />
          <label htmlFor="until">Ends at, such as 18:00 or 2026-11-20 18:00</label>
          <input id="until" name="until" defaultValue={typed.until} className="field" />
        </details>
        <div className="desk-actions">
          <Press value="notice" look="button button-gold">
            Publish as a notice
          </Press>
          <Press value="urgent" look="desk-button desk-danger">
            Publish as urgent
          </Press>
        </div>
      </Form>
    </section>
  );
}

import { Form, Link, useNavigation } from "react-router";
import { toQueryString } from "../../../../lib/links/query.ts";
import { waitingPath } from "../../model.ts";
import { type Action, canDecide, type Kind, kindParam, undoMinutes } from "../model.ts";

type Props = {
  kind: Kind | null;
  /** How many there are, such as "500 messages". */
  what: string;
  /** The moment until which they arrived. */
  until: string;
  /** The titles of the newest ones. */
  examples: { id: string; title: string }[];
  hasMore: boolean;
  error: string | null;
};

/** Confirms a decision about everything of a kind. */
export function AllPage({ kind, what, until, examples, hasMore, error }: Props) {
  const isBusy = useNavigation().state !== "idle";
  const back = waitingPath + toQueryString({ [kindParam]: kind });
  const labels: Record<Action, string> = {
    reject: `Reject ${what}`,
    approve: `Approve ${what}`,
    done: `Mark ${what} as done`,
  };
  const actions = (["reject", "approve", "done"] as const).filter(
    (action) => action === "reject" || (kind && canDecide(action, kind)),
  );
  return (
    <>
      <h1 className="desk-heading">{what}</h1>
      {error && (
        <p role="alert" className="desk-error">
          {error}
        </p>
      )}
      <ul className="desk-list">
        {examples.map(({ id, title }) => (
          <li key={id} className="waiting-example">
            {title}
          </li>
        ))}
        {hasMore && <li className="waiting-example">…</li>}
      </ul>
      <p className="desk-note">
        What arrives from now on is not part of it. You can undo this for {undoMinutes} minutes, and
        rejected items stay in the bin.
      </p>
      <Form method="post" className="waiting-buttons">
        <input type="hidden" name="kind" value={kind ?? ""} />
        <input type="hidden" name="until" value={until} />
        {actions.map((action, index) => (
          <button
            key={action}
            type="submit"
            name="act"
            value={action}
            disabled={isBusy}
            className={`button ${index === 0 ? "button-gold" : "button-plain"}`}
          >
            {labels[action]}
          </button>
        ))}
        <Link to={back} className="button button-plain">
          Cancel
        </Link>
      </Form>
    </>
  );
}

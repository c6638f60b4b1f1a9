import { Form, Link, useNavigation } from "react-router";
import { toQueryString } from "../../../../lib/links/query.ts";
import { waitingPath } from "../../model.ts";
import { type Action, allPath, binPath, canDecide, type Kind, kindParam, nouns } from "../model.ts";
import type { Row } from "../view.server.ts";
import { KindLinks } from "./kind-links.tsx";
import { CheckAll, Pages, Rows } from "./rows.tsx";

export type ListProps = {
  kind: Kind | null;
  counts: Record<Kind, number>;
  total: number;
  page: number;
  last: number;
  rows: Row[];
  /** Why the last decision was refused. */
  error: string | null;
};

const labels: Record<Action, string> = { approve: "Approve", done: "Done", reject: "Reject" };

/** Everything that waits for an editor, newest first. */
export function WaitingPage({ kind, counts, total, page, last, rows, error }: ListProps) {
  const isBusy = useNavigation().state !== "idle";
  const shownKinds = new Set(rows.map((row) => row.kind));
  const actions = (["approve", "done", "reject"] as const).filter((action) =>
    [...shownKinds].some((each) => canDecide(action, each)),
  );
  const noun = kind ? nouns[kind].many : "items";
  return (
    <>
      <div className="waiting-head">
        <h1 className="desk-heading">Waiting</h1>
        <Link to={binPath} className="text-link">
          Bin
        </Link>
      </div>
      <KindLinks path={waitingPath} current={kind} counts={counts} />
      {error && (
        <p role="alert" className="desk-error mt-4">
          {error}
        </p>
      )}
      {rows.length === 0 ? (
        <div className="waiting-empty">
          <p className="waiting-quiet">All quiet.</p>
          <p>
            {kind ? `No ${noun} wait.` : "Nothing waits for a decision."} What readers send next
            appears here.
          </p>
        </div>
      ) : (
        <Form method="post" className="waiting-form">
          <div className="waiting-select">
            <CheckAll count={rows.length} />
            {total > 1 && (
              <Link to={allPath + toQueryString({ [kindParam]: kind })} className="text-link">
                Select all {total.toLocaleString("en-US")} {noun}
              </Link>
            )}
          </div>
          <Rows rows={rows} />
          <div className="waiting-bar">
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
          </div>
        </Form>
      )}
      <Pages path={waitingPath} kind={kind} page={page} last={last} />
    </>
  );
}

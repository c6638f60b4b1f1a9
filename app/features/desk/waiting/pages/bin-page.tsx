import { Form, Link, useNavigation } from "react-router";
import { waitingPath } from "../../model.ts";
import { binPath } from "../model.ts";
import { KindLinks } from "./kind-links.tsx";
import { CheckAll, Pages, Rows } from "./rows.tsx";
import type { ListProps } from "./waiting-page.tsx";

type Props = Omit<ListProps, "total"> & { days: number };

/** What was rejected in the last days. It can be restored, so that it waits again. */
export function BinPage({ kind, counts, page, last, rows, error, days }: Props) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <div className="waiting-head">
        <h1 className="desk-heading">Bin</h1>
        <Link to={waitingPath} className="text-link">
          Waiting
        </Link>
      </div>
      <p className="desk-note mb-4">
        What was rejected is here for {days} days and is then deleted. The names and email addresses
        of the senders of stories and events are deleted with the decision and do not come back.
      </p>
      <KindLinks path={binPath} current={kind} counts={counts} />
      {error && (
        <p role="alert" className="desk-error mt-4">
          {error}
        </p>
      )}
      {rows.length === 0 ? (
        <div className="waiting-empty">
          <p className="waiting-quiet">Empty.</p>
          <p>Nothing was rejected lately.</p>
        </div>
      ) : (
        <Form method="post" className="waiting-form">
          <div className="waiting-select">
            <CheckAll count={rows.length} />
          </div>
          <Rows rows={rows} />
          <div className="waiting-bar">
            <button type="submit" disabled={isBusy} className="button button-gold">
              Restore
            </button>
          </div>
        </Form>
      )}
      <Pages path={binPath} kind={kind} page={page} last={last} />
    </>
  );
}

import { type ReactNode, useEffect } from "react";
import { Form, Link } from "react-router";
import type { Refusal } from "../../../forms/model.ts";
import { deleteExpiredForms } from "../../../forms/unsent/retention.ts";
import type { Kind } from "../model.ts";
import type { Row } from "../view.server.ts";
import { KindLinks } from "./kind-links.tsx";
import { CheckAll, Pages, Rows } from "./rows.tsx";
import { type Undo, UndoBanner } from "./undo-banner.tsx";

export type ListProps = {
  kind: Kind | null;
  counts: { kind: Kind; count: number }[];
  total: number;
  page: number;
  last: number;
  rows: Row[];
  undos: Undo[];
  /** Why the last decision was refused. */
  refusal: Refusal | undefined;
};

type Props = ListProps & {
  title: string;
  path: string;
  /** The link to the other list. */
  other: { label: string; path: string };
  note?: string;
  empty: { title: string; text: string };
  selectAll?: ReactNode;
  /** What can be done with the checked rows. */
  bar: ReactNode;
};

/** A list of what readers sent, with a form for those that an editor checks. */
export function ListPage(props: Props) {
  const { kind, counts, page, last, rows, refusal, title, path, other, note, empty } = props;
  // What an editor typed about an item is deleted even if the item is not opened again.
  useEffect(() => deleteExpiredForms(Date.now()), []);
  return (
    <>
      <UndoBanner undos={props.undos} />
      <div className="waiting-head">
        <h1 className="desk-heading">{title}</h1>
        <Link to={other.path} className="desk-tap text-link">
          {other.label}
        </Link>
      </div>
      {note && <p className="desk-note mb-4">{note}</p>}
      <KindLinks path={path} current={kind} counts={counts} />
      {refusal && (
        <p role="alert" className="desk-error mt-4">
          {refusal.summary}
        </p>
      )}
      {rows.length === 0 ? (
        <div className="waiting-empty">
          <p className="waiting-quiet">{empty.title}</p>
          <p>{empty.text}</p>
        </div>
      ) : (
        <Form method="post" className="waiting-form">
          <div className="waiting-select">
            <CheckAll count={rows.length} isWhole={last === 1} />
            {props.selectAll}
          </div>
          <Rows rows={rows} part={{ kind, page }} />
          {props.bar}
        </Form>
      )}
      <Pages path={path} kind={kind} page={page} last={last} />
    </>
  );
}

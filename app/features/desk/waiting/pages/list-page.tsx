import { type ReactNode, useEffect } from "react";
import { Form } from "react-router";
import { Link } from "../../../../ui/link.tsx";
import type { Refusal } from "../../../forms/model.ts";
import { deleteExpiredForms } from "../../../forms/unsent/retention.ts";
import { waitingPath } from "../../model.ts";
import { binPath, donePath, type Kind } from "../model.ts";
import type { Row } from "../view.server.ts";
import { KindLinks } from "./kind-links.tsx";
import { CheckRows, Pages, Rows } from "./rows.tsx";
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

const lists = [
  { label: "Waiting", path: waitingPath },
  { label: "Done", path: donePath },
  { label: "Bin", path: binPath },
];

type Props = ListProps & {
  title: string;
  path: string;
  note?: string;
  empty: { title: string; text: string };
  selectAll?: ReactNode;
  /** What can be done with the checked rows. Without it, none can be checked. */
  bar?: ReactNode;
};

/** A list of what readers sent, with a form for those that an editor checks. */
export function ListPage(props: Props) {
  const { kind, counts, page, last, rows, refusal, title, path, note, empty } = props;
  // What an editor typed about an item is deleted even if the item is not opened again.
  useEffect(() => deleteExpiredForms(Date.now()), []);
  return (
    <>
      <UndoBanner undos={props.undos} />
      <div className="waiting-head">
        <h1 className="desk-heading">{title}</h1>
        <p className="flex gap-4">
          {lists
            .filter((list) => list.path !== path)
            .map((list) => (
              <Link key={list.path} to={list.path} className="desk-tap text-link">
                {list.label}
              </Link>
            ))}
        </p>
      </div>
      {note && <p className="desk-note mb-4">{note}</p>}
      {path !== donePath && <KindLinks path={path} current={kind} counts={counts} />}
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
      ) : !props.bar ? (
        <Rows rows={rows} part={{ kind, page }} canSelect={false} />
      ) : (
        <Form method="post" className="waiting-form">
          <div className="waiting-select">
            {/* What is checked belongs to these rows. */}
            <CheckRows key={rows.map(({ id }) => id).join()} rows={rows} isWhole={last === 1} />
            {props.selectAll}
          </div>
          <Rows rows={rows} part={{ kind, page }} canSelect />
          {props.bar}
        </Form>
      )}
      <Pages path={path} kind={kind} page={page} last={last} />
    </>
  );
}

import { type ReactNode, useEffect } from "react";
import { Form } from "react-router";
import { PillRow } from "../../../../ui/choices/pill-row.tsx";
import { Link } from "../../../../ui/link.tsx";
import type { Refusal } from "../../../forms/model.ts";
import { deleteExpiredForms } from "../../../forms/unsent/retention.ts";
import { kindLabels, waitingPath } from "../../model.ts";
import { Press } from "../../pages/parts.tsx";
import {
  allPath,
  binPath,
  donePath,
  type SubmissionKind,
  toListQuery,
  undoMinutes,
} from "../model.ts";
import type { Row } from "../view.server.ts";
import { DecisionBar, reasonForMany } from "./decision-bar.tsx";
import { CheckRows, Pages, Rows } from "./rows.tsx";

type ListProps = {
  kind: SubmissionKind | null;
  counts: { kind: SubmissionKind; count: number }[];
  total: number;
  page: number;
  last: number;
  rows: Row[];
  undos: Undo[];
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

export function ListPage(props: Props) {
  const { kind, counts, page, last, rows, refusal, title, path, note, empty } = props;
  // What an editor typed about an item is deleted even if the item is not opened again.
  useEffect(() => deleteExpiredForms(Date.now()), []);
  return (
    <>
      <UndoBanner undos={props.undos} />
      <div className="flex items-baseline justify-between gap-4">
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
          <div className="mt-4 flex min-h-11 flex-wrap items-center justify-between gap-x-3 text-sm">
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

type KindProps = {
  path: string;
  current: SubmissionKind | null;
  counts: { kind: SubmissionKind; count: number }[];
};

function KindLinks({ path, current, counts }: KindProps) {
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const choices = [
    { kind: null, label: "All", count: all },
    ...counts.map(({ kind, count }) => ({ kind, label: kindLabels[kind].many, count })),
  ];
  return (
    <nav aria-label="Kinds">
      <PillRow>
        {choices.map(({ kind, label, count }) => (
          <li key={label}>
            <Link
              to={path + toListQuery({ kind, page: 1 })}
              aria-current={kind === current ? "true" : undefined}
              className="pill min-h-11 px-2 max-[22rem]:px-1.5 sm:px-3"
            >
              {label}{" "}
              <span className="ml-1 font-normal sm:ml-1.5">{count.toLocaleString("en-US")}</span>
            </Link>
          </li>
        ))}
      </PillRow>
    </nav>
  );
}

type Undo = {
  id: string;
  summary: string;
  note: string;
  path: string;
  /** How many emails to senders wait until the decision can no longer be undone. */
  mails: number;
};

function UndoBanner({ undos: [last, ...earlier] }: { undos: Undo[] }) {
  if (!last) return null;
  return (
    <div role="status" className="callout mb-6 space-y-3">
      <UndoLine {...last} />
      {earlier.length > 0 && (
        <details>
          <summary className="fold min-h-11 font-semibold">
            {earlier.length === 1 ? "1 earlier decision" : `${earlier.length} earlier decisions`}
          </summary>
          {earlier.map((undo) => (
            <UndoLine key={undo.id} {...undo} />
          ))}
        </details>
      )}
    </div>
  );
}

function UndoLine({ id, summary, note, path, mails }: Undo) {
  return (
    <div className="waiting-undo">
      <p>
        <strong className="block">{summary}.</strong>
        {path && (
          <Link to={path} reloadDocument className="desk-tap text-link">
            See the page
          </Link>
        )}
        {mails > 0 && (
          <span className="block text-ink-soft text-sm">
            {mails === 1 ? "The sender gets an email" : `The senders get ${mails} emails`}{" "}
            {undoMinutes} minutes after the decision.
          </span>
        )}
        {note && <span className="block text-sm">{note}</span>}
      </p>
      <Form method="post">
        <Press name="undo" value={id} aria-label={`Undo: ${summary}`}>
          Undo
        </Press>
      </Form>
    </div>
  );
}

export function WaitingPage(list: ListProps) {
  const { kind, total, rows, refusal } = list;
  const noun = kind ? kindLabels[kind].many.toLowerCase() : "items";
  const hasOnlyMessages = rows.every((row) => row.kind === "message");
  return (
    <ListPage
      {...list}
      title="Waiting"
      path={waitingPath}
      empty={{
        title: "All quiet.",
        text: `${kind ? `No ${noun} wait.` : "Nothing waits for a decision."} What readers send next appears here.`,
      }}
      selectAll={
        total > 1 && (
          // With scripts, a single page needs no link, because it has a checkbox for all rows.
          <Link
            to={allPath + toListQuery({ kind, page: 1 })}
            className={`desk-tap text-link ${total === rows.length ? "scripts:hidden" : ""}`}
          >
            Select all {total.toLocaleString("en-US")} {noun}
          </Link>
        )
      }
      bar={
        <DecisionBar
          accept={<AcceptLabel />}
          reasonHint={hasOnlyMessages ? undefined : reasonForMany}
          refusal={refusal}
        />
      }
    />
  );
}

/** The style sheet hides the words that do not apply to the checked rows. */
const AcceptLabel = () => (
  <>
    <span className="waiting-approve">Approve</span>
    <span className="waiting-approve waiting-done"> / </span>
    <span className="waiting-done">Done</span>
  </>
);

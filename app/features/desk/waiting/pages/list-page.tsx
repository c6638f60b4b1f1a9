import { useEffect } from "react";
import { Form, useNavigation } from "react-router";
import { PillRow } from "../../../../ui/choices/pill-row.tsx";
import { Link } from "../../../../ui/link.tsx";
import { doneRetentionDays } from "../../../contact/model.ts";
import type { Refusal } from "../../../forms/model.ts";
import { deleteExpiredForms } from "../../../forms/unsent/retention.ts";
import { rejectedRetentionDays } from "../../../stories/readers/model.ts";
import { kindLabels } from "../../model.ts";
import { Pages, Press } from "../../pages/parts.tsx";
import {
  allPath,
  type ListName,
  listNames,
  listPaths,
  listTitles,
  type SubmissionKind,
  toListQuery,
  undoMinutes,
} from "../model.ts";
import type { Row } from "../view.server.ts";
import { DecisionBar, reasonForMany } from "./decision-bar.tsx";
import { CheckRows, Rows } from "./rows.tsx";

type ListProps = {
  list: ListName;
  kind: SubmissionKind | null;
  counts: { kind: SubmissionKind; count: number }[];
  total: number;
  page: number;
  last: number;
  rows: Row[];
  undos: Undo[];
  refusal: Refusal | undefined;
};

const nounOf = (kind: SubmissionKind | null) =>
  kind ? kindLabels[kind].many.toLowerCase() : "items";

/** What a list contains, and what the page says if it is empty. */
function describeList(list: ListName, kind: SubmissionKind | null) {
  switch (list) {
    case "waiting":
      return {
        note: "",
        empty: "All quiet.",
        emptyText: `${kind ? `No ${nounOf(kind)} wait.` : "Nothing waits for a decision."} What readers send next appears here.`,
      };
    case "done":
      return {
        note: `Messages that were answered or marked as done, with the answers. They are here for ${doneRetentionDays} days and are then deleted.`,
        empty: "Empty.",
        emptyText: "No message was answered or marked as done lately.",
      };
    case "bin":
      return {
        note: `What was rejected is here for ${rejectedRetentionDays} days and is then deleted. For ten minutes, restoring something is the same as undoing the decision. Later, the names and email addresses of the senders of stories and events are gone.`,
        empty: "Empty.",
        emptyText: "Nothing was rejected lately.",
      };
  }
}

export function ListPage(props: ListProps) {
  const { list, kind, counts, page, last, rows, refusal } = props;
  const path = listPaths[list];
  const { note, empty, emptyText } = describeList(list, kind);
  // What an editor typed about an item is deleted even if the item is not opened again.
  useEffect(() => deleteExpiredForms(Date.now()), []);
  return (
    <>
      <UndoBanner undos={props.undos} />
      <div className="flex items-baseline justify-between gap-4">
        <h1 className="desk-heading">{listTitles[list]}</h1>
        <p className="flex gap-4">
          {listNames
            .filter((name) => name !== list)
            .map((name) => (
              <Link key={name} to={listPaths[name]} className="desk-tap text-link">
                {listTitles[name]}
              </Link>
            ))}
        </p>
      </div>
      {note && <p className="desk-note mb-4">{note}</p>}
      {list !== "done" && <KindLinks path={path} current={kind} counts={counts} />}
      {refusal && (
        <p role="alert" className="desk-error mt-4">
          {refusal.summary}
        </p>
      )}
      {rows.length === 0 ? (
        <div className="waiting-empty">
          <p className="waiting-quiet">{empty}</p>
          <p>{emptyText}</p>
        </div>
      ) : list === "done" ? (
        <Rows rows={rows} part={{ kind, page }} canSelect={false} />
      ) : (
        <Form method="post" className="waiting-form">
          <div className="mt-4 flex min-h-11 flex-wrap items-center justify-between gap-x-3 text-sm">
            {/* What is checked belongs to these rows. */}
            <CheckRows key={rows.map(({ id }) => id).join()} rows={rows} isWhole={last === 1} />
            {list === "waiting" && <SelectAll {...props} />}
          </div>
          <Rows rows={rows} part={{ kind, page }} canSelect />
          {list === "bin" ? <RestoreBar /> : <WaitingBar {...props} />}
        </Form>
      )}
      <Pages
        page={page}
        last={last}
        toPath={(number) => path + toListQuery({ kind, page: number })}
      />
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

function SelectAll({ kind, total, rows }: ListProps) {
  if (total < 2) return null;
  return (
    // With scripts, a single page needs no link, because it has a checkbox for all rows.
    <Link
      to={allPath + toListQuery({ kind, page: 1 })}
      className={`desk-tap text-link ${total === rows.length ? "scripts:hidden" : ""}`}
    >
      Select all {total.toLocaleString("en-US")} {nounOf(kind)}
    </Link>
  );
}

const WaitingBar = ({ rows, refusal }: ListProps) => (
  <DecisionBar
    accept={<AcceptLabel />}
    reasonHint={rows.every((row) => row.kind === "message") ? undefined : reasonForMany}
    refusal={refusal}
  />
);

function RestoreBar() {
  const isBusy = useNavigation().state !== "idle";
  return (
    <div className="waiting-bar">
      <button type="submit" disabled={isBusy} className="button button-gold">
        Restore
      </button>
    </div>
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

import { Form } from "react-router";
import { Link } from "../../../../ui/link.tsx";
import type { Refusal } from "../../../forms/model.ts";
import { waitingPath } from "../../model.ts";
import { type SubmissionKind, toListQuery, undoMinutes } from "../model.ts";
import { DecisionBar, reasonForMany } from "./decision-bar.tsx";

type Props = {
  kind: SubmissionKind | null;
  /** How many there are, such as "500 messages". */
  what: string;
  /** Only items that had arrived at this moment are decided about. */
  until: string;
  examples: { id: string; title: string }[];
  hasMore: boolean;
  refusal: Refusal | undefined;
};

export function AllPage({ kind, what, until, examples, hasMore, refusal }: Props) {
  return (
    <>
      <h1 className="desk-heading">{what}</h1>
      {refusal && (
        <p role="alert" className="desk-error">
          {refusal.summary}
        </p>
      )}
      <ul className="desk-list">
        {examples.map(({ id, title }) => (
          <li key={id} className="truncate py-2 font-serif">
            {title}
          </li>
        ))}
        {hasMore && <li className="truncate py-2 font-serif">…</li>}
      </ul>
      <p className="desk-note">
        What arrives from now on is not part of it. You can undo this for {undoMinutes} minutes, and
        rejected items stay in the bin.
      </p>
      <Form method="post" className="desk-form">
        <input type="hidden" name="kind" value={kind ?? ""} />
        <input type="hidden" name="until" value={until} />
        <DecisionBar
          accept={kind && (kind === "message" ? `Mark ${what} as done` : `Approve ${what}`)}
          reject={`Reject ${what}`}
          reasonHint={kind === "message" ? undefined : reasonForMany}
          refusal={refusal}
        />
        <Link to={waitingPath + toListQuery({ kind, page: 1 })} className="desk-tap text-link">
          Cancel
        </Link>
      </Form>
    </>
  );
}

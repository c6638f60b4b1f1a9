import { Form } from "react-router";
import { Link } from "../../../../ui/link.tsx";
import { undoMinutes } from "../model.ts";

export type Undo = {
  id: string;
  summary: string;
  note: string;
  page: string;
  /** How many emails to senders wait until the decision can no longer be undone. */
  mails: number;
};

/** What the editor can still undo, newest first. */
export function UndoBanner({ undos: [last, ...earlier] }: { undos: Undo[] }) {
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

function UndoLine({ id, summary, note, page, mails }: Undo) {
  return (
    <div className="waiting-undo">
      <p>
        <strong className="block">{summary}.</strong>
        {page && (
          <Link to={page} reloadDocument className="desk-tap text-link">
            See the page
          </Link>
        )}
        {mails > 0 && (
          <span className="block text-ink-soft text-sm">
            {mails === 1 ? "The sender gets an email" : `${mails} senders get an email`}{" "}
            {undoMinutes} minutes after the decision.
          </span>
        )}
        {note && <span className="block text-sm">{note}</span>}
      </p>
      <Form method="post">
        <button
          type="submit"
          name="undo"
          value={id}
          className="desk-button"
          aria-label={`Undo: ${summary}`}
        >
          Undo
        </button>
      </Form>
    </div>
  );
}

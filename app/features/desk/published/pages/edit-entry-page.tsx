import { useRef } from "react";
import { Form } from "react-router";
import { Link } from "../../../../ui/link.tsx";
import { ErrorSummary } from "../../../forms/form-shell.tsx";
import type { Refusal } from "../../../forms/model.ts";
import { UnsentNotice } from "../../../forms/unsent/unsent-notice.tsx";
import { fillFields } from "../../model.ts";
import type { describeEntry } from "../describe-item.server.ts";
import { editEntryAction, editEntryPath, entryParam, itemPath } from "../model.ts";
import { EntryFields } from "./entry-form.tsx";

type Props = {
  /** The id and the title of the story. */
  id: string;
  title: string;
  editing: ReturnType<typeof describeEntry>;
  refusal: Refusal | undefined;
};

/** Changes a published entry of a live story. */
export function EditEntryPage({ id, title, editing, refusal }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const { key, entry } = editing;
  const path = editEntryPath(id, key);
  return (
    <>
      <p>
        <Link to={itemPath("story", id)} className="desk-tap text-link">
          ← {title}
        </Link>
      </p>
      {refusal && (
        <div className="mb-4">
          <ErrorSummary refusal={refusal} />
        </div>
      )}
      <h1 className="desk-heading mt-2">Edit the entry{entry && ` of ${entry.time}`}</h1>
      <Form ref={form} method="post" action={path} className="space-y-4">
        <UnsentNotice path={path} form={form} isAlwaysStored />
        <input type="hidden" name={entryParam} value={refusal?.typed[entryParam] ?? key} />
        <EntryFields
          refusal={fillFields(refusal, entry ? { title: entry.title, text: entry.text } : {})}
          rows={8}
        />
        <div className="desk-actions">
          <button
            type="submit"
            name="action"
            value={editEntryAction}
            className="button button-gold"
          >
            Publish the changes
          </button>
          <Link to={itemPath("story", id)} className="button button-plain">
            Back without saving
          </Link>
        </div>
      </Form>
    </>
  );
}

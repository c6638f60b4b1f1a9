import { useRef } from "react";
import { Form } from "react-router";
import { TextArea, TextField } from "../../../forms/fields.tsx";
import type { Refusal } from "../../../forms/model.ts";
import { UnsentNotice } from "../../../forms/unsent/unsent-notice.tsx";
import { entryAction, entryFormPath, maxEntryLength, maxEntryTitleLength } from "../model.ts";

type Props = { id: string; refusal: Refusal | undefined };

/** Publishes an entry of a live story. What is typed stays on the device until the server has it. */
export function EntryForm({ id, refusal }: Props) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <section className="desk-section mb-10" aria-labelledby="add-entry">
      <h2 id="add-entry" className="desk-subheading">
        Add an entry
      </h2>
      <Form ref={form} method="post" className="mt-3 space-y-4">
        <UnsentNotice path={entryFormPath(id)} form={form} isAlwaysStored />
        <EntryFields refusal={refusal} rows={4} />
        <button
          type="submit"
          name="action"
          value={entryAction}
          className="button button-gold w-full sm:w-auto"
        >
          Publish the entry
        </button>
      </Form>
    </section>
  );
}

export const EntryFields = ({ refusal, rows }: { refusal: Refusal | undefined; rows: number }) => (
  <>
    <TextField
      name="title"
      label="Title (optional)"
      maxLength={maxEntryTitleLength}
      autoComplete="off"
      refusal={refusal}
    />
    <TextArea
      name="text"
      label="What has happened"
      rows={rows}
      maxLength={maxEntryLength}
      required
      refusal={refusal}
    />
  </>
);

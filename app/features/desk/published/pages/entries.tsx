import { useRef } from "react";
import { Form } from "react-router";
import { Link } from "../../../../ui/link.tsx";
import { TextArea, TextField } from "../../../forms/fields.tsx";
import { ErrorSummary } from "../../../forms/form-shell.tsx";
import type { FilledFields, Refusal } from "../../../forms/model.ts";
import { fillFields } from "../../model.ts";
import { BackLink, Press, StoredText } from "../../pages/parts.tsx";
import type { DescribedItem, describeEntry } from "../describe-item.server.ts";
import {
  deleteEntryAction,
  editEntryAction,
  editEntryPath,
  entryAction,
  entryFormPath,
  entryParam,
  itemPath,
  maxEntryLength,
  maxEntryTitleLength,
} from "../model.ts";

type Props = {
  slug: string;
  title: string;
  editing: ReturnType<typeof describeEntry>;
  refusal: Refusal | undefined;
};

export function EditEntryPage({ slug, title, editing, refusal }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const { key, entry } = editing;
  const path = editEntryPath(slug, key);
  return (
    <>
      <BackLink to={itemPath("story", slug)}>{title}</BackLink>
      {refusal && (
        <div className="mb-4">
          <ErrorSummary refusal={refusal} />
        </div>
      )}
      <h1 className="desk-heading mt-2">Edit the entry{entry && ` of ${entry.time}`}</h1>
      <Form ref={form} method="post" action={path} className="space-y-4">
        <StoredText path={path} form={form} />
        <input type="hidden" name={entryParam} value={key} />
        <EntryFields
          refusal={fillFields(refusal, entry ? { title: entry.title, text: entry.text } : {})}
          rows={8}
        />
        <div className="desk-actions">
          <Press value={editEntryAction} look="button button-gold">
            Publish the changes
          </Press>
          <Link to={itemPath("story", slug)} className="button button-plain">
            Back without saving
          </Link>
        </div>
      </Form>
    </>
  );
}

type EntryFormProps = { slug: string; refusal: Refusal | undefined };

/** The form of a new entry. What is typed stays on the device until the server has stored it. */
export function EntryForm({ slug, refusal }: EntryFormProps) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <section className="desk-section mb-10" aria-labelledby="add-entry">
      <h2 id="add-entry" className="desk-subheading">
        Add an entry
      </h2>
      <Form ref={form} method="post" className="mt-3 space-y-4">
        <StoredText path={entryFormPath(slug)} form={form} />
        <EntryFields refusal={refusal} rows={4} />
        <Press value={entryAction} look="button button-gold w-full sm:w-auto">
          Publish the entry
        </Press>
      </Form>
    </section>
  );
}

const EntryFields = ({ refusal, rows }: { refusal: FilledFields | undefined; rows: number }) => (
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

type EntriesProps = { slug: string; entries: DescribedItem["entries"] };

export function Entries({ slug, entries }: EntriesProps) {
  if (entries.length === 0) return null;
  return (
    <section className="desk-section">
      <h2 className="desk-subheading">Entries</h2>
      <ul className="desk-list">
        {entries.map(({ key, time, title, line }) => (
          <li key={key} className="pt-3 pb-1">
            <p className="wrap-anywhere">
              <b>{[time, title].filter(Boolean).join(": ")}</b>
              <small className="block text-ink-soft text-sm">{line}</small>
            </p>
            <div className="flex items-start gap-6">
              <Link
                to={editEntryPath(slug, key)}
                aria-label={`Edit the entry of ${time}`}
                className="desk-tap text-link"
              >
                Edit
              </Link>
              <details className="flex-1">
                <summary className="desk-tap text-link" aria-label={`Delete the entry of ${time}`}>
                  Delete
                </summary>
                <Form method="post" className="space-y-3 pb-2">
                  <p>Readers no longer see it. The versions still have it.</p>
                  <input type="hidden" name={entryParam} value={key} />
                  <Press value={deleteEntryAction}>Yes, delete it</Press>
                </Form>
              </details>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

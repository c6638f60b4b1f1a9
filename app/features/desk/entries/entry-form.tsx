import { useRef } from "react";
import { Form } from "react-router";
import { Link } from "../../../ui/link.tsx";
import { ConsentField, Field, SelectField, TextArea, TextField } from "../../forms/fields.tsx";
import { ErrorSummary } from "../../forms/form-shell.tsx";
import type { FilledFields, Refusal } from "../../forms/model.ts";
import { fillFields, seenField } from "../model.ts";
import { Press, StoredText } from "../pages/parts.tsx";
import type { EntryFormContent } from "./entries.server.ts";
import { type EntryField, entriesPath, entryPath, keyField } from "./model.ts";

type Props = EntryFormContent & { refusal: Refusal | undefined };

export function EntryForm({ list, noun, id, newKey, fields, entry, refusal }: Props) {
  const action = entryPath(list, id);
  const form = useRef<HTMLFormElement>(null);
  const seen = refusal?.typed[seenField] ?? entry?.seen;
  const shown = fillFields(refusal, entry?.typed ?? {});
  return (
    <>
      <h1 className="desk-heading wrap-anywhere">{entry?.title ?? `New ${noun}`}</h1>
      {refusal && <ErrorSummary refusal={refusal} />}
      {/* The server checks all fields, and the browser's own messages differ from ours. */}
      <Form ref={form} method="post" action={action} noValidate className="desk-form">
        <StoredText path={action} form={form} />
        <input type="hidden" name={keyField} value={newKey} />
        <input type="hidden" name={seenField} value={seen} />
        <div className="grid gap-5 sm:grid-cols-3">
          {fields.map((field) => (
            <div
              key={field.name}
              className={["date", "time"].includes(field.type) ? undefined : "sm:col-span-3"}
            >
              <EntryControl field={field} refusal={shown} />
            </div>
          ))}
        </div>
        <div className="desk-actions">
          <Press value="save" look="button button-gold">
            Save
          </Press>
          <Link to={entriesPath(list)} className="button button-plain">
            Back without saving
          </Link>
        </div>
      </Form>
      {entry && (
        <details className="desk-fold mt-8 border-t">
          <summary className="fold">Delete this {noun}</summary>
          <Form method="post" action={action}>
            <input type="hidden" name={seenField} value={seen} />
            <p>Readers no longer find it, and it cannot be brought back.</p>
            <Press value="delete">Yes, delete it</Press>
          </Form>
        </details>
      )}
    </>
  );
}

function EntryControl({ field, refusal }: { field: EntryField; refusal: FilledFields }) {
  const { name, label, hint } = field;
  const shared = { name, label, hint, refusal };
  switch (field.type) {
    case "area":
      return <TextArea {...shared} maxLength={field.maxLength} rows={4} />;
    case "select":
      return <SelectField {...shared} options={field.choices} preset="" />;
    case "check":
      return <ConsentField {...shared} optional />;
    case "text":
      return (
        <Field
          {...shared}
          control={(props) => (
            <>
              <input
                {...props}
                maxLength={field.maxLength}
                list={field.suggestions && `${name}-suggestions`}
                className="field mt-1.5"
              />
              {field.suggestions && (
                <datalist id={`${name}-suggestions`}>
                  {field.suggestions.map((value) => (
                    <option key={value} value={value} />
                  ))}
                </datalist>
              )}
            </>
          )}
        />
      );
    case "url":
      return <TextField {...shared} type="url" maxLength={field.maxLength} />;
    case "date":
    case "time":
      return <TextField {...shared} type={field.type} />;
  }
}

import { type KeyboardEvent, useState } from "react";
import { Field, TextArea, TextField } from "../../../forms/fields.tsx";
import type { Refusal } from "../../../forms/model.ts";
import { maxCorrections, maxDraftTitleLength, maxExcerptLength } from "../model.ts";
import type { DraftPageContent } from "../show.server.ts";
import { PhotoField } from "./photo-field.tsx";
import { TextEditor } from "./text-editor.tsx";
import type { useDraft } from "./use-draft.ts";

type Props = {
  content: DraftPageContent;
  draft: Pick<ReturnType<typeof useDraft>, "start" | "pending" | "addImage" | "change">;
  refusal: Refusal;
};

/** What a reader's story has, but cannot be changed here. */
const plainFields = ["excerpt", "image", "alt", "caption", "credit"] as const;

/** The fields of a story. */
export function DraftFieldset({ content, draft, refusal }: Props) {
  const { fields } = draft.start;
  return (
    <>
      <div>
        <textarea
          id="title"
          name="title"
          rows={2}
          aria-label="Title"
          placeholder="Title"
          defaultValue={fields.title}
          maxLength={maxDraftTitleLength}
          autoComplete="off"
          onKeyDown={stayOnLine}
          aria-invalid={refusal.errors.title ? true : undefined}
          aria-describedby={refusal.errors.title ? "title-error" : undefined}
          className="field write-title"
        />
        <ErrorText name="title" refusal={refusal} />
      </div>
      <div>
        <TextEditor
          defaultValue={fields.text}
          error={refusal.errors.text}
          hasMarkup={!content.isPlain}
          addImage={draft.addImage}
        />
        <ErrorText name="text" refusal={refusal} />
      </div>
      {content.isPlain ? (
        plainFields.map((name) => (
          <input key={name} type="hidden" name={name} value={fields[name]} />
        ))
      ) : (
        <PhotoField
          fields={fields}
          refusal={refusal}
          pending={draft.pending}
          addImage={draft.addImage}
          onChange={draft.change}
        />
      )}
      <div className="write-pair">
        <Field
          name="category"
          label="Section"
          refusal={refusal}
          control={(props) => (
            <select {...props} className="field mt-1.5">
              <option value="">Choose …</option>
              {content.sections.map(({ heading, categories }) => (
                <optgroup key={heading} label={heading}>
                  {categories.map((category) => (
                    <option key={category}>{category}</option>
                  ))}
                </optgroup>
              ))}
            </select>
          )}
        />
        <TextField
          name="authors"
          label="Author"
          hint="Several with commas"
          maxLength={300}
          refusal={refusal}
        />
      </div>
      {!content.isPlain && (
        <TextArea
          name="excerpt"
          label="Summary"
          hint="One or two sentences, for lists and below the title"
          maxLength={maxExcerptLength}
          rows={3}
          refusal={refusal}
        />
      )}
      <label className="flex items-start gap-3">
        <input
          type="checkbox"
          name="isPinned"
          defaultChecked={fields.isPinned}
          className="size-6 shrink-0"
        />
        <span>Pin to the front page</span>
      </label>
      <Corrections corrections={fields.corrections} isOpen={content.isPublished} />
    </>
  );
}

/** A title has several lines on a phone, but no line breaks. */
function stayOnLine(event: KeyboardEvent): void {
  if (event.key === "Enter") event.preventDefault();
}

function ErrorText({ name, refusal }: { name: string; refusal: Refusal }) {
  const error = refusal.errors[name];
  if (error === undefined) return null;
  return (
    <p id={`${name}-error`} className="mt-1 font-medium text-crab">
      {error}
    </p>
  );
}

type CorrectionProps = { corrections: { date: string; text: string }[]; isOpen: boolean };

/** The public notes on what was wrong. An empty row is for the next one. */
function Corrections({ corrections, isOpen }: CorrectionProps) {
  const [rows, setRows] = useState(corrections.length + 1);
  return (
    <details open={isOpen || corrections.length > 0} className="write-part">
      <summary id="corrections">Corrections</summary>
      <p className="desk-note">What was wrong and what is right. Readers see each with its date.</p>
      {Array.from({ length: Math.min(rows, maxCorrections) }, (_, index) => {
        const { date = "", text = "" } = corrections[index] ?? {};
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end
          <div key={index} className="write-correction">
            <input
              type={date.length > 10 ? "text" : "date"}
              name="correctionDate"
              defaultValue={date}
              aria-label={`Date of correction ${index + 1} (today if empty)`}
              className="field"
            />
            <textarea
              name="correctionText"
              defaultValue={text}
              rows={2}
              maxLength={1_000}
              aria-label={`Correction ${index + 1}`}
              onInput={() => setRows(Math.max(rows, index + 2))}
              className="field"
            />
          </div>
        );
      })}
    </details>
  );
}

import { type KeyboardEvent, useState } from "react";
import { maxTitleLength } from "../../../events/model.ts";
import { ConsentField, FieldError, TextArea, TextField } from "../../../forms/fields.tsx";
import type { FilledFields } from "../../../forms/model.ts";
import { EventFields } from "../../pages/event-fields.tsx";
import { SectionField } from "../../pages/section-field.tsx";
import { maxCorrectionLength } from "../../published/model.ts";
import { maxCorrections, maxLengths } from "../model.ts";
import type { DraftPageContent } from "../show.server.ts";
import { PhotoField } from "./photo-field.tsx";
import { TextEditor } from "./text-editor.tsx";
import type { useDraft } from "./use-draft.ts";

type Props = {
  content: DraftPageContent;
  draft: Pick<
    ReturnType<typeof useDraft>,
    "start" | "pending" | "imageProblems" | "addImage" | "change"
  >;
  refusal: FilledFields;
};

/** What a reader's story has, but cannot be changed here. */
const plainFields = ["excerpt", "image", "alt", "caption", "credit"] as const;

export function DraftFieldset({ content, draft, refusal }: Props) {
  const { fields } = draft.start;
  if (content.kind === "event")
    return (
      <>
        <TitleField title={fields.title} maxLength={maxTitleLength} refusal={refusal} />
        <EventFields
          textName="text"
          categories={content.categories.flatMap(({ categories }) => categories)}
          refusal={refusal}
        />
      </>
    );
  return (
    <>
      <TitleField title={fields.title} maxLength={maxLengths.title} refusal={refusal} />
      <div>
        <TextEditor
          defaultValue={fields.text}
          error={refusal.errors.text}
          hasMarkup={!content.isPlain}
          addImage={draft.addImage}
        />
        <FieldError name="text" refusal={refusal} />
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
          refused={draft.imageProblems}
          addImage={draft.addImage}
          onChange={draft.change}
        />
      )}
      <div className="write-pair">
        {content.kind === "story" && (
          <SectionField choices={content.categories} refusal={refusal} />
        )}
        <TextField
          name="authors"
          label="Author"
          hint="Several with commas"
          maxLength={maxLengths.authors}
          refusal={refusal}
        />
      </div>
      {!content.isPlain && (
        <TextArea
          name="excerpt"
          label="Summary"
          hint="One or two sentences, for lists and below the title"
          maxLength={maxLengths.excerpt}
          rows={3}
          refusal={refusal}
        />
      )}
      {content.kind === "story" && (
        <ConsentField name="isPinned" label="Pin to the front page" refusal={refusal} optional />
      )}
      {content.kind === "story" && !content.isPlain && (
        <ConsentField
          name="isLive"
          label="Live: each heading that begins with a time, such as “## 14:05 Title”, is an entry"
          refusal={refusal}
          optional
        />
      )}
      <Corrections corrections={fields.corrections} isOpen={content.changesItem} />
    </>
  );
}

type CorrectionProps = { corrections: { date: string; text: string }[]; isOpen: boolean };

/** The public notes on what was wrong. An empty row is for the next one. */
function Corrections({ corrections, isOpen }: CorrectionProps) {
  const [rows, setRows] = useState(corrections.length + 1);
  return (
    <details open={isOpen || corrections.length > 0} className="write-part">
      <summary id="corrections" className="fold">
        Corrections
      </summary>
      <p className="desk-note">What was wrong and what is right. Readers see each with its date.</p>
      {Array.from({ length: Math.min(rows, maxCorrections) }, (_, index) => {
        const { date = "", text = "" } = corrections[index] ?? {};
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end
          <div key={index} className="grid gap-2 sm:grid-cols-[11rem_1fr]">
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
              maxLength={maxCorrectionLength}
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

type TitleProps = { title: string; maxLength: number; refusal: FilledFields };

const TitleField = ({ title, maxLength, refusal }: TitleProps) => (
  <div>
    <textarea
      id="title"
      name="title"
      rows={2}
      aria-label="Title"
      placeholder="Title"
      defaultValue={title}
      maxLength={maxLength}
      autoComplete="off"
      onKeyDown={stayOnLine}
      aria-invalid={refusal.errors.title ? true : undefined}
      aria-describedby={refusal.errors.title ? "title-error" : undefined}
      className="field write-title"
    />
    <FieldError name="title" refusal={refusal} />
  </div>
);

/** A title has several lines on a phone, but no line breaks. */
function stayOnLine(event: KeyboardEvent): void {
  if (event.key === "Enter") event.preventDefault();
}

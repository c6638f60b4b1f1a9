import type { KeyboardEvent } from "react";
import type { Refusal } from "../../../forms/model.ts";

type Props = { title: string; maxLength: number; refusal: Refusal };

export const TitleField = ({ title, maxLength, refusal }: Props) => (
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
    <ErrorText name="title" refusal={refusal} />
  </div>
);

/** A title has several lines on a phone, but no line breaks. */
function stayOnLine(event: KeyboardEvent): void {
  if (event.key === "Enter") event.preventDefault();
}

export function ErrorText({ name, refusal }: { name: string; refusal: Refusal }) {
  const error = refusal.errors[name];
  if (error === undefined) return null;
  return (
    <p id={`${name}-error`} className="mt-1 font-medium text-crab">
      {error}
    </p>
  );
}

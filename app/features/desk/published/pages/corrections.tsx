import { useRef } from "react";
import { Form } from "react-router";
import { TextArea } from "../../../forms/fields.tsx";
import type { Refusal } from "../../../forms/model.ts";
import { UnsentNotice } from "../../../forms/unsent/unsent-notice.tsx";
import {
  correctionField,
  correctionFormPath,
  type ItemKind,
  maxCorrectionLength,
} from "../model.ts";

type Props = {
  kind: ItemKind;
  id: string;
  items: { date: string; text: string }[];
  isPublished: boolean;
  refusal: Refusal | undefined;
};

export const Corrections = ({ items, ...form }: Props) => (
  <section className="desk-section">
    <h2 className="desk-subheading">Corrections</h2>
    <ul className="desk-list">
      {items.map(({ date, text }) => (
        <li key={`${date} ${text}`} className="desk-row">
          <p>
            {text}
            <small>{date}</small>
          </p>
        </li>
      ))}
    </ul>
    {/* A published correction empties the form. */}
    <CorrectionForm key={items.length} {...form} />
  </section>
);

function CorrectionForm({ kind, id, isPublished, refusal }: Omit<Props, "items">) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <Form ref={form} method="post" className="mt-4 space-y-3">
      <UnsentNotice path={correctionFormPath(kind, id)} form={form} isAlwaysStored />
      <TextArea
        name={correctionField}
        label="What was wrong, and what is right"
        hint={`${isPublished ? "Readers see it" : "When it is published again, readers see it"} below the ${kind}, with the date of today.`}
        rows={3}
        required
        maxLength={maxCorrectionLength}
        refusal={refusal}
      />
      <button type="submit" name="action" value="correct" className="desk-button">
        Publish the correction
      </button>
    </Form>
  );
}

import { Form } from "react-router";
import { type ItemKind, type ItemRefusal, maxCorrectionLength } from "../model.ts";

type Props = {
  kind: ItemKind;
  items: { date: string; text: string }[];
  isPublished: boolean;
  refusal: ItemRefusal | undefined;
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

function CorrectionForm({ kind, isPublished, refusal }: Omit<Props, "items">) {
  const error = refusal?.action === "correct" ? refusal : null;
  const start = isPublished ? "Readers see it" : "When it is published again, readers see it";
  return (
    <Form method="post" className="mt-4 space-y-3">
      <label htmlFor="correction" className="block font-semibold">
        What was wrong, and what is right
      </label>
      <textarea
        id="correction"
        name="text"
        rows={3}
        required
        maxLength={maxCorrectionLength}
        defaultValue={error?.typed}
        // biome-ignore lint/a11y/noAutofocus: without JavaScript, the refused field is in view as well
        autoFocus={error !== null}
        aria-describedby="correction-note"
        aria-invalid={error ? true : undefined}
        className="field block"
      />
      <p
        id="correction-note"
        className={error ? "desk-error" : "desk-note"}
        role={error ? "alert" : undefined}
      >
        {error?.message ?? `${start} below the ${kind}, with the date of today.`}
      </p>
      <button type="submit" name="action" value="correct" className="desk-button">
        Publish the correction
      </button>
    </Form>
  );
}

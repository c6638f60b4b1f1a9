import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import {
  type ItemKind,
  type ItemRefusal,
  type ItemState,
  maxCorrectionLength,
  publishedPath,
} from "../model.ts";
import { StateMarks } from "./state-marks.tsx";

type HeadProps = {
  title: string;
  /** Such as the section, the authors and the date. */
  facts: string;
  state: ItemState;
  isPinned?: boolean;
  excerpt: string;
};

export const ItemHead = ({ title, facts, state, isPinned = false, excerpt }: HeadProps) => (
  <>
    <p className="desk-note">
      <Link to={publishedPath} className="text-link">
        Published
      </Link>
    </p>
    <h1 className="desk-heading mt-2">{title}</h1>
    <p>
      <StateMarks state={state} isPinned={isPinned} />
      <span className="text-ink-soft text-sm">{facts}</span>
    </p>
    {excerpt && <p className="mt-3">{excerpt}</p>}
  </>
);

/** What readers get while an item is not published. */
export function StateNotice({ state, children }: { state: ItemState; children?: ReactNode }) {
  if (state === "published") return null;
  return (
    <p className="callout mt-4" role="status">
      {state === "down"
        ? "It is taken down: its page says that it is gone, and it is in no list, feed or search result."
        : "Readers do not see it until it is published again."}
      {children}
    </p>
  );
}

/** One confirmation, and no other page in between. */
export const TakeDown = () => (
  <details className="sm:col-span-2">
    <summary className="button desk-danger list-none">Take down now</summary>
    <Form method="post" className="mt-3">
      <p className="mb-3">
        Its page will say that it is gone, within seconds and for everybody. You can publish it
        again.
      </p>
      <button type="submit" name="action" value="down" className="button desk-danger">
        Yes, take it down
      </button>
    </Form>
  </details>
);

type ActionProps = { action: string; label: string; look?: string };

export const ActionButton = ({ action, label, look = "desk-button" }: ActionProps) => (
  <Form method="post">
    <button type="submit" name="action" value={action} className={look}>
      {label}
    </button>
  </Form>
);

/** Opens the draft of an item. The page for writing creates it if necessary. */
export const EditButton = ({ kind, rowId }: { kind: ItemKind; rowId: string }) => (
  <Form method="post" action="/desk/write">
    <input type="hidden" name="kind" value={kind} />
    <input type="hidden" name="item" value={rowId} />
    <button type="submit" className="desk-button">
      Edit
    </button>
  </Form>
);

export const FileNote = ({ file, children }: { file: string; children?: ReactNode }) => (
  <p className="desk-note">
    To change its text, edit this in <code>{file}</code>.{children}
  </p>
);

type CorrectionsProps = {
  items: { date: string; text: string }[];
  noun: string;
  refusal: ItemRefusal | undefined;
};

export const Corrections = ({ items, noun, refusal }: CorrectionsProps) => (
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
    <CorrectionForm key={items.length} noun={noun} refusal={refusal} />
  </section>
);

function CorrectionForm({ noun, refusal }: Omit<CorrectionsProps, "items">) {
  const error = refusal?.action === "correct" ? refusal : null;
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
        aria-describedby="correction-note"
        aria-invalid={error ? true : undefined}
        className="field block"
      />
      <p id="correction-note" className={error ? "desk-error" : "desk-note"}>
        {error?.message ?? `Readers see it below the ${noun}, with the date of today.`}
      </p>
      <button type="submit" name="action" value="correct" className="desk-button">
        Publish the correction
      </button>
    </Form>
  );
}

import { Form, Link } from "react-router";
import {
  type ItemKind,
  type ItemRefusal,
  type ItemState,
  maxSlugLength,
  toPublicPath,
  versionsPath,
} from "../model.ts";

type Props = {
  kind: ItemKind;
  id: string;
  state: ItemState;
  refusal: ItemRefusal | undefined;
};

/** What editors do rarely with a row: look at its versions, rename it, make it a draft again. */
export function MoreActions({ kind, id, state, refusal }: Props) {
  const error = refusal?.action === "rename" ? refusal : null;
  return (
    <section className="desk-section">
      <h2 className="desk-subheading mb-2">More</h2>
      <p className="border-line border-y py-1">
        <Link to={versionsPath(kind, id)} className="desk-tap text-link">
          Versions
        </Link>
      </p>
      {kind !== "event" && state === "published" && (
        <details className="desk-fold" open={error !== null}>
          <summary className="fold">Change its address</summary>
          <Form method="post">
            <label htmlFor="slug" className="block">
              The last part of {toPublicPath(kind, id)}
            </label>
            <input
              id="slug"
              name="text"
              defaultValue={error?.typed ?? id}
              maxLength={maxSlugLength}
              required
              autoCapitalize="none"
              autoComplete="off"
              // biome-ignore lint/a11y/noAutofocus: without JavaScript, the refused field is in view as well
              autoFocus={error !== null}
              aria-describedby="slug-note"
              aria-invalid={error ? true : undefined}
              className="field"
            />
            <p id="slug-note" className={error ? "desk-error" : "desk-note"}>
              {error?.message ?? "Old links lead to the new address."}
            </p>
            <button type="submit" name="action" value="rename" className="desk-button">
              Change it
            </button>
          </Form>
        </details>
      )}
      {state !== "draft" && (
        <details className="desk-fold">
          <summary className="fold">Unpublish to draft</summary>
          <Form method="post">
            <p>Readers do not find it until you publish it again, with the same path and date.</p>
            <button type="submit" name="action" value="draft" className="desk-button">
              Unpublish it
            </button>
          </Form>
        </details>
      )}
    </section>
  );
}

import { Form } from "react-router";
import { Link } from "../../../../ui/link.tsx";
import { TextField } from "../../../forms/fields.tsx";
import type { Refusal } from "../../../forms/model.ts";
import { fillFields } from "../../model.ts";
import {
  type ItemKind,
  type ItemState,
  maxSlugLength,
  slugField,
  toPublicPath,
  versionsPath,
} from "../model.ts";

type Props = {
  kind: ItemKind;
  id: string;
  state: ItemState;
  refusal: Refusal | undefined;
};

/** What editors do rarely with a row: look at its versions, rename it, make it a draft again. */
export function MoreActions({ kind, id, state, refusal }: Props) {
  const refused = refusal?.errors[slugField] ? refusal : undefined;
  return (
    <section className="desk-section">
      <h2 className="desk-subheading mb-2">More</h2>
      <p className="border-line border-y py-1">
        <Link to={versionsPath(kind, id)} className="desk-tap text-link">
          Versions
        </Link>
      </p>
      {kind !== "event" && state === "published" && (
        <details key={id} className="desk-fold" open={refused !== undefined}>
          <summary className="fold">Change its address</summary>
          <Form method="post">
            <TextField
              name={slugField}
              label={`The last part of ${toPublicPath(kind, id)}`}
              hint="Old links lead to the new address."
              maxLength={maxSlugLength}
              required
              autoComplete="off"
              refusal={fillFields(refused, { [slugField]: id })}
            />
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

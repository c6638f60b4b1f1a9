import { Form } from "react-router";
import { Link } from "../../../../ui/link.tsx";
import type { DescribedItem } from "../describe-item.server.ts";
import { deleteEntryAction, editEntryPath, entryParam } from "../model.ts";

type Props = { id: string; entries: DescribedItem["entries"] };

/** The entries of a live story, the newest first. */
export function Entries({ id, entries }: Props) {
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
                to={editEntryPath(id, key)}
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
                  <button
                    type="submit"
                    name="action"
                    value={deleteEntryAction}
                    className="desk-button"
                  >
                    Yes, delete it
                  </button>
                </Form>
              </details>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

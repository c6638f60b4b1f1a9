import { Form, Link } from "react-router";
import { itemPath, versionsPath } from "../model.ts";

type Props = {
  kind: "story" | "post";
  slug: string;
  title: string;
  canRestore: boolean;
  versions: { number: number; action: string; editorName: string; time: string }[];
  shown: {
    number: number;
    isNewest: boolean;
    title: string;
    excerpt: string;
    text: string;
    facts: string;
  } | null;
};

/** What a story or a post said after each change, and by whom. */
export function VersionsPage({ kind, slug, title, canRestore, versions, shown }: Props) {
  return (
    <>
      <p className="desk-note">
        <Link to={itemPath(kind, slug)} className="text-link">
          {title}
        </Link>
      </p>
      <h1 className="desk-heading mt-2">Versions</h1>
      {versions.length === 0 && (
        <p className="desk-note">Nobody has changed this {kind} at the desk yet.</p>
      )}
      <ul className="desk-list">
        {versions.map(({ number, action, editorName, time }) => (
          <li key={number} className="desk-row">
            <p>
              <Link
                to={`${versionsPath(kind, slug)}?version=${number}`}
                aria-current={number === shown?.number ? "true" : undefined}
                className="text-link"
              >
                Version {number}
              </Link>
              : {action.replace(/ of$/, "")}
              {editorName && ` by ${editorName}`}
              <small>{time}</small>
            </p>
          </li>
        ))}
      </ul>
      {shown && (
        <article className="desk-section" aria-labelledby="version">
          <h2 id="version" className="desk-subheading">
            Version {shown.number}: {shown.title}
          </h2>
          <p className="desk-note">{shown.facts}</p>
          {shown.excerpt && <p className="mt-3 font-medium">{shown.excerpt}</p>}
          <div className="desk-text">{shown.text}</div>
          {canRestore && !shown.isNewest && (
            <Form method="post" className="mt-6">
              <p className="desk-note mb-3">Corrections that were published since then stay.</p>
              <button type="submit" name="version" value={shown.number} className="desk-button">
                Restore version {shown.number}
              </button>
            </Form>
          )}
          {!canRestore && (
            <p className="desk-note">To restore a version, publish the {kind} again first.</p>
          )}
        </article>
      )}
    </>
  );
}

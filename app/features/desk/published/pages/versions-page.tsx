import { Form } from "react-router";
import { Link } from "../../../../ui/link.tsx";
import { BackLink, Notice, Press } from "../../pages/parts.tsx";
import type { DescribedVersions } from "../describe-item.server.ts";
import { itemPath, versionsPath } from "../model.ts";

type Props = DescribedVersions & {
  notice: string | undefined;
  /** Why a version was not restored. */
  refusal: string | undefined;
};

export function VersionsPage({ kind, slug, title, state, versions, shown, ...outcome }: Props) {
  return (
    <>
      <Notice notice={outcome.refusal ? undefined : outcome.notice} />
      <BackLink to={itemPath(kind, slug)}>{title}</BackLink>
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
              : {action.replace(/ (?:of|to)$/, "")}
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
          <div className="mt-4 whitespace-pre-wrap break-words border-line border-l-3 pl-4">
            {shown.text}
          </div>
          {!shown.isNewest && (
            <Form method="post" className="mt-6">
              <p className="desk-note mb-3">
                {kind !== "event" && "Corrections that were published since then stay."}
                {state === "down" && ` The ${kind} stays taken down.`}
                {state === "draft" && ` The ${kind} stays a draft.`}
              </p>
              {outcome.refusal && (
                <p className="desk-error mb-3" role="alert">
                  {outcome.refusal}
                </p>
              )}
              <Press name="version" value={shown.number}>
                Restore version {shown.number}
              </Press>
            </Form>
          )}
        </article>
      )}
    </>
  );
}

import { Form } from "react-router";
import { Link } from "../../../ui/link.tsx";
import { ErrorSummary } from "../../forms/form-shell.tsx";
import type { Refusal } from "../../forms/model.ts";
import { BackLink, Press } from "../pages/parts.tsx";
import { writePath } from "../write/model.ts";
import type { EntriesContent } from "./entries.server.ts";
import { type EntryList, type EntryRow, entryHeadings, entryPath, newEntry } from "./model.ts";

type Props = EntriesContent & { refusal: Refusal | undefined };

export function EntriesPage({ list, noun, groups, changed, refusal }: Props) {
  return (
    <>
      <BackLink to={writePath}>Write</BackLink>
      <h1 className="desk-heading">{entryHeadings[list]}</h1>
      {refusal && <ErrorSummary refusal={refusal} />}
      <div role="status">{changed && <Changed changed={changed} />}</div>
      <Link to={entryPath(list, newEntry)} className="button button-gold">
        New {noun}
      </Link>
      {groups.length === 0 && (
        <p className="desk-note">
          Nobody has added a {noun} here yet. Those of files are not listed.
        </p>
      )}
      {groups.map((group) => (
        <section key={group.heading} className="desk-section">
          <h2 className="desk-subheading">{group.heading}</h2>
          <ul className="desk-list">
            {group.rows.map((row) => (
              <Row key={row.id} list={list} row={row} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

const Changed = ({ changed }: { changed: NonNullable<EntriesContent["changed"]> }) => (
  <p className="callout mb-4">
    {changed === "deleted" ? "It is deleted." : `“${changed.row.title}” ${changed.became}. `}
    {changed !== "deleted" &&
      (changed.row.page ? (
        <a href={changed.row.page} className="text-link">
          See it on the site
        </a>
      ) : (
        "Readers do not see it, because its last day is over."
      ))}
  </p>
);

function Row({ list, row }: { list: EntryList; row: EntryRow }) {
  const { id, title, facts, marks, buttons } = row;
  return (
    <li className="desk-row">
      <p className="wrap-anywhere min-w-0 flex-1 basis-60">
        <Link to={entryPath(list, id)} className="desk-item">
          {title}
        </Link>{" "}
        {marks.map((mark) => (
          <span key={mark} className="mark mr-1">
            {mark}
          </span>
        ))}
        <small>{facts}</small>
      </p>
      {buttons.map(({ action, label }) => (
        <Form key={action} method="post" action={entryPath(list, id)} preventScrollReset>
          <Press value={action} aria-label={`${label}: ${title}`}>
            {label}
          </Press>
        </Form>
      ))}
    </li>
  );
}

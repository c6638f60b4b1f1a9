import { useEffect, useState } from "react";
import { Form, Link } from "react-router";
import { draftPath, intentField, writeDraftFields, writePath } from "../model.ts";
import type { ShownDraft } from "../show.server.ts";
import { type DeviceCopy, listDeviceCopies } from "./device-copy.ts";

type Props = {
  drafts: ShownDraft[];
  /** The path of the story that was just published. */
  published: string | null;
};

/** All drafts, the editor's own first, and what is only on this device. */
export function DraftsPage({ drafts, published }: Props) {
  const groups = [
    { heading: "Scheduled", drafts: drafts.filter(({ publishAt }) => publishAt !== null) },
    {
      heading: "Yours",
      drafts: drafts.filter(({ publishAt, isMine }) => publishAt === null && isMine),
    },
    {
      heading: "By others",
      drafts: drafts.filter(({ publishAt, isMine }) => publishAt === null && !isMine),
    },
  ];
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h1 className="desk-heading">Write</h1>
        <Form method="post" action={writePath}>
          <button type="submit" name={intentField} value="story" className="button button-gold">
            New story
          </button>
        </Form>
      </div>
      {published && (
        <p role="status" className="callout">
          Published.{" "}
          <a href={published} className="text-link">
            Read it on the site
          </a>
        </p>
      )}
      <DeviceCopies known={drafts.map(({ id }) => id)} />
      {drafts.length === 0 && <p className="desk-note">There are no drafts.</p>}
      {groups
        .filter((group) => group.drafts.length > 0)
        .map((group) => (
          <section key={group.heading} className="desk-section">
            <h2 className="desk-subheading">{group.heading}</h2>
            <ul className="desk-list">
              {group.drafts.map((draft) => (
                <DraftRow key={draft.id} draft={draft} />
              ))}
            </ul>
          </section>
        ))}
    </>
  );
}

function DraftRow({ draft }: { draft: ShownDraft }) {
  const { id, title, saved, open, publishAt, isPublished, missing } = draft;
  return (
    <li className="desk-row">
      <div className="min-w-0 flex-1">
        <Link to={draftPath(id)} className="text-link wrap-anywhere font-serif text-lg">
          {title}
        </Link>
        <small>
          {isPublished ? "Changes to a published story" : "Story"} · {saved}
        </small>
        {publishAt && (
          <small>
            {missing.length === 0
              ? `Will be published on ${publishAt}`
              : `Not published on ${publishAt}: ${missing.join(" ")}`}
          </small>
        )}
        {open && (
          <small>
            <b>{open.name}</b> is editing this, {open.ago}
          </small>
        )}
      </div>
      <details className="write-delete">
        <summary>Delete</summary>
        <Form method="post" action={draftPath(id)}>
          <button
            type="submit"
            name={intentField}
            value="delete"
            aria-label={`Yes, delete ${title}`}
            className="desk-button"
          >
            Yes, delete it
          </button>
        </Form>
      </details>
    </li>
  );
}

/** What was typed on this device and is not on the server, such as a draft that somebody deleted. */
function DeviceCopies({ known }: { known: string[] }) {
  const [copies, setCopies] = useState<{ id: string; copy: DeviceCopy }[]>([]);
  useEffect(() => setCopies(listDeviceCopies()), []);
  if (copies.length === 0) return null;
  return (
    <section className="callout">
      <h2 className="desk-subheading">Not saved, on this device</h2>
      <ul>
        {copies.map(({ id, copy }) => (
          <li key={id} className="desk-row">
            {known.includes(id) ? (
              <Link to={draftPath(id)} className="text-link">
                {copy.fields.title || "Without a title"}
              </Link>
            ) : (
              <>
                <span>{copy.fields.title || "Without a title"} (the draft was deleted)</span>
                <Form method="post" action={draftPath(id)}>
                  {[...writeDraftFields(new FormData(), copy.fields)].map(
                    ([name, value], index) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: several fields have one name
                      <input key={index} type="hidden" name={name} value={String(value)} />
                    ),
                  )}
                  <button type="submit" name={intentField} value="save" className="desk-button">
                    Save it as a new draft
                  </button>
                </Form>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

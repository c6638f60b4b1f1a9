import { useEffect, useState } from "react";
import { Form } from "react-router";
import { Link } from "../../../../ui/link.tsx";
import { entriesPath, entryHeadings, entryLists } from "../../entries/model.ts";
import { kindLabels } from "../../model.ts";
import { Press } from "../../pages/parts.tsx";
import type { ItemKind } from "../../published/model.ts";
import {
  draftPath,
  intentField,
  kindField,
  revisionField,
  titleOf,
  writeDraftFields,
  writePath,
} from "../model.ts";
import type { ShownDraft } from "../show.server.ts";
import { type DeviceCopy, listDeviceCopies } from "./device-copy.ts";

type Props = {
  kinds: ItemKind[];
  drafts: ShownDraft[];
  /** The path of what was just published. */
  published: string | null;
};

export function DraftsPage({ kinds, drafts, published }: Props) {
  const [copies, setCopies] = useState<{ id: string; copy: DeviceCopy }[]>([]);
  useEffect(() => setCopies(listDeviceCopies()), []);
  const isStored = (id: string) => drafts.some((draft) => draft.id === id);
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
      <h1 className="desk-heading">Write</h1>
      <Form method="post" action={writePath} className="flex flex-wrap gap-2">
        {kinds.map((kind) => (
          <Press
            key={kind}
            name={kindField}
            value={kind}
            look={`button grow px-3 sm:grow-0 sm:px-5 ${kind === "story" ? "button-gold" : "button-plain"}`}
          >
            New {kindLabels[kind].one.toLowerCase()}
          </Press>
        ))}
      </Form>
      <p className="mt-3 flex gap-6">
        {entryLists.map((list) => (
          <Link key={list} to={entriesPath(list)} className="text-link inline-block py-2">
            {entryHeadings[list]}
          </Link>
        ))}
      </p>
      {published && (
        <p role="status" className="callout mt-4">
          Published.{" "}
          <a href={published} className="text-link">
            Read it on the site
          </a>
        </p>
      )}
      <DeletedDrafts copies={copies.filter(({ id }) => !isStored(id))} />
      {drafts.length === 0 && <p className="desk-note">There are no drafts.</p>}
      {groups
        .filter((group) => group.drafts.length > 0)
        .map((group) => (
          <section key={group.heading} className="desk-section">
            <h2 className="desk-subheading">{group.heading}</h2>
            <ul className="desk-list">
              {group.drafts.map((draft) => (
                <DraftRow
                  key={draft.id}
                  draft={draft}
                  typed={copies.find(({ id }) => id === draft.id)?.copy}
                />
              ))}
            </ul>
          </section>
        ))}
    </>
  );
}

/** `typed` is the text that only this device has, because the server has not stored it yet. */
function DraftRow({ draft, typed }: { draft: ShownDraft; typed: DeviceCopy | undefined }) {
  const { id, kind, revision, saved, open, publishAt, isOnSite, obstacles } = draft;
  const title = typed ? titleOf(typed.fields) : draft.title;
  const { one } = kindLabels[kind];
  return (
    <li className="desk-row relative">
      <div className="min-w-0 flex-1">
        <Link to={draftPath(id)} className="cover-link desk-item">
          {title}
        </Link>
        <small>
          {isOnSite ? `Changes to a published ${one.toLowerCase()}` : one} · {saved}
        </small>
        {typed && (
          <small>
            <b>Not saved:</b> the newest text is only on this device. Open it to save it.
          </small>
        )}
        {publishAt && (
          <small>
            {obstacles.length === 0
              ? `Will be published on ${publishAt}`
              : `Cannot be published on ${publishAt} yet: ${obstacles.join(" ")}`}
          </small>
        )}
        {open && (
          <small>
            <b>{open.name}</b> is editing this, {open.ago}
          </small>
        )}
      </div>
      <details className="relative">
        <summary className="desk-tap text-link">Delete</summary>
        <Form method="post" action={draftPath(id)}>
          <input type="hidden" name={revisionField} value={revision} />
          <Press name={intentField} value="delete" aria-label={`Yes, delete ${title}`}>
            Yes, delete it
          </Press>
        </Form>
      </details>
    </li>
  );
}

/** What was typed on this device into drafts that somebody deleted or published meanwhile. */
function DeletedDrafts({ copies }: { copies: { id: string; copy: DeviceCopy }[] }) {
  if (copies.length === 0) return null;
  return (
    <section className="callout mt-4">
      <h2 className="desk-subheading">Not saved, on this device</h2>
      <ul>
        {copies.map(({ id, copy }) => (
          <li key={id} className="desk-row">
            <span>{titleOf(copy.fields)} (the draft was deleted or published)</span>
            <Form method="post" encType="multipart/form-data" action={draftPath(id)}>
              <input type="hidden" name={kindField} value={copy.kind} />
              {[...writeDraftFields(new FormData(), copy.fields)].map(([name, value], index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: several fields have one name
                <input key={index} type="hidden" name={name} value={String(value)} />
              ))}
              <Press name={intentField} value="save">
                Save it as a draft
              </Press>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}

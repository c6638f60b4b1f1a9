import { useRef } from "react";
import { Form } from "react-router";
import { maxSlugLength } from "../../../../lib/text/slug.ts";
import { Link } from "../../../../ui/link.tsx";
import { TextArea, TextField } from "../../../forms/fields.tsx";
import { ErrorSummary } from "../../../forms/form-shell.tsx";
import type { Refusal } from "../../../forms/model.ts";
import { fillFields } from "../../model.ts";
import { BackLink, Notice, Press, StoredText } from "../../pages/parts.tsx";
import type { DescribedItem } from "../describe-item.server.ts";
import {
  correctionField,
  correctionFormPath,
  type ItemKind,
  type ItemState,
  maxCorrectionLength,
  publishedPath,
  slugField,
  toPublicPath,
  versionsPath,
} from "../model.ts";
import { Entries, EntryForm } from "./entries.tsx";
import { StateMarks } from "./list-page.tsx";

type Props = DescribedItem & {
  notice: string | undefined;
  /** The stories that home.yaml features, which come before pinned ones. */
  featuredCount: number;
  refusal: Refusal | undefined;
};

export function ItemPage(props: Props) {
  const { kind, slug, state, isPinned, isPinnedByFile, corrections, rowId, file, refusal } = props;
  const isPublished = state === "published";
  const isLive = props.live === "live";
  const canBeLive = isPublished && rowId !== null && props.live !== undefined;
  return (
    <>
      <Notice notice={refusal ? undefined : props.notice} />
      <BackLink to={publishedPath}>Published</BackLink>
      {refusal && (
        <div className="mb-4">
          <ErrorSummary refusal={refusal} />
        </div>
      )}
      <h1 className="desk-heading mt-2">{props.title}</h1>
      <p>
        <StateMarks state={state} isPinned={isPinned} isLive={isLive} />
        <span className="text-ink-soft text-sm">{props.facts}</span>
      </p>
      {props.excerpt && <p className="mt-3">{props.excerpt}</p>}
      {props.scheduledFor && (
        <p className="callout mt-4">
          It is scheduled: readers do not see it before {props.scheduledFor}.
        </p>
      )}
      {!isPublished && (
        <p className="callout mt-4">
          {state === "down"
            ? "It is taken down: its page says that it is gone, and it is in no list, feed or search result."
            : "It is a draft: readers do not see it until it is published."}
          {props.deletedOn && ` As a reader wrote it, it is deleted on ${props.deletedOn}.`}
        </p>
      )}
      {/* If somebody has ended it meanwhile, what was typed stays on the page. */}
      {((canBeLive && isLive) || refusal?.typed.text !== undefined) && (
        // A new entry changes the key, which empties the form.
        <EntryForm key={props.entries[0]?.key} slug={slug} refusal={refusal} />
      )}
      <div className="desk-actions">
        {isPublished && !props.scheduledFor && (
          <a href={toPublicPath(kind, slug)} className="desk-button">
            Open on the site
          </a>
        )}
        {(state === "down" || (state === "draft" && rowId !== null)) && (
          <ActionButton action="again" label="Publish again" look="button button-gold" />
        )}
        {rowId !== null && <EditButton kind={kind} rowId={rowId} />}
        {kind === "story" && isPublished && !isPinnedByFile && (
          <ActionButton
            action={isPinned ? "unpin" : "pin"}
            label={isPinned ? "Unpin from the front page" : "Pin to the front page"}
          />
        )}
        {canBeLive && (
          <ActionButton
            action={isLive ? "end" : "live"}
            label={isLive ? "End live" : "Make it live"}
          />
        )}
        {isPublished && <TakeDown />}
      </div>
      {props.update && <p className="desk-note">{props.update}</p>}
      {file !== null && (
        <p className="desk-note">
          To change its text, edit this in <code>{file}</code>.
          {isPinnedByFile && " The file pins it to the front page."}
          {props.live && <LiveInFile isLive={isLive} />}
        </p>
      )}
      {isPublished && isPinned && props.featuredCount > 0 && (
        <p className="desk-note">
          The stories that home.yaml features come before pinned ones on the front page.
        </p>
      )}
      {isPublished && <Entries slug={slug} entries={props.entries} />}
      {corrections && (
        <Corrections
          kind={kind}
          slug={slug}
          items={corrections}
          isPublished={isPublished}
          refusal={refusal}
        />
      )}
      {rowId !== null && <MoreActions kind={kind} slug={slug} state={state} refusal={refusal} />}
    </>
  );
}

const LiveInFile = ({ isLive }: { isLive: boolean }) =>
  isLive ? (
    <>
      {" "}
      It is live: add entries there, and end it with <code>live: false</code>.
    </>
  ) : (
    <>
      {" "}
      To make it live, write <code>live: true</code> there.
    </>
  );

const TakeDown = () => (
  <details className="sm:col-span-2">
    <summary className="button desk-danger list-none">Take down now</summary>
    <Form method="post" className="mt-3">
      <p className="mb-3">
        Its page will say that it is gone, within seconds and for everybody. You can publish it
        again.
      </p>
      <Press value="down" look="button desk-danger">
        Yes, take it down
      </Press>
    </Form>
  </details>
);

type ActionProps = { action: string; label: string; look?: string };

const ActionButton = ({ action, label, look = "desk-button" }: ActionProps) => (
  <Form method="post">
    <Press value={action} look={look}>
      {label}
    </Press>
  </Form>
);

/** Opens the draft of an item. The page for writing creates it if necessary. */
const EditButton = ({ kind, rowId }: { kind: ItemKind; rowId: string }) => (
  <Form method="post" action="/desk/write">
    <input type="hidden" name="kind" value={kind} />
    <input type="hidden" name="item" value={rowId} />
    <button type="submit" className="desk-button">
      Edit
    </button>
  </Form>
);

type CorrectionsProps = {
  kind: ItemKind;
  slug: string;
  items: { date: string; text: string }[];
  isPublished: boolean;
  refusal: Refusal | undefined;
};

const Corrections = ({ items, ...form }: CorrectionsProps) => (
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
    {/* The key changes with each published correction, which empties the form. */}
    <CorrectionForm key={items.length} {...form} />
  </section>
);

function CorrectionForm({ kind, slug, isPublished, refusal }: Omit<CorrectionsProps, "items">) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <Form ref={form} method="post" className="mt-4 space-y-3">
      <StoredText path={correctionFormPath(kind, slug)} form={form} />
      <TextArea
        name={correctionField}
        label="What was wrong, and what is right"
        hint={`${isPublished ? "Readers see it" : "When it is published again, readers see it"} below the ${kind}, with the date of today.`}
        rows={3}
        required
        maxLength={maxCorrectionLength}
        refusal={refusal}
      />
      <Press value="correct">Publish the correction</Press>
    </Form>
  );
}

type MoreProps = {
  kind: ItemKind;
  slug: string;
  state: ItemState;
  refusal: Refusal | undefined;
};

/** What editors rarely need: the versions of an item, its path, and making it a draft again. */
function MoreActions({ kind, slug, state, refusal }: MoreProps) {
  const refused = refusal?.errors[slugField] ? refusal : undefined;
  return (
    <section className="desk-section">
      <h2 className="desk-subheading mb-2">More</h2>
      <p className="border-line border-y py-1">
        <Link to={versionsPath(kind, slug)} className="desk-tap text-link">
          Versions
        </Link>
      </p>
      {kind !== "event" && state === "published" && (
        <details key={slug} className="desk-fold" open={refused !== undefined}>
          <summary className="fold">Change its address</summary>
          <Form method="post">
            <TextField
              name={slugField}
              label={`The last part of ${toPublicPath(kind, slug)}`}
              hint="Old links lead to the new address."
              maxLength={maxSlugLength}
              required
              autoComplete="off"
              refusal={fillFields(refused, { [slugField]: slug })}
            />
            <Press value="rename">Change it</Press>
          </Form>
        </details>
      )}
      {state !== "draft" && (
        <details className="desk-fold">
          <summary className="fold">Unpublish to draft</summary>
          <Form method="post">
            <p>Readers do not find it until you publish it again, with the same path and date.</p>
            <Press value="draft">Unpublish it</Press>
          </Form>
        </details>
      )}
    </section>
  );
}

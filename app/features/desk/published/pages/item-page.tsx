import { Form } from "react-router";
import { Link } from "../../../../ui/link.tsx";
import { ErrorSummary } from "../../../forms/form-shell.tsx";
import type { Refusal } from "../../../forms/model.ts";
import type { DescribedItem } from "../describe-item.server.ts";
import { type ItemKind, publishedPath, toPublicPath } from "../model.ts";
import { Corrections } from "./corrections.tsx";
import { Entries } from "./entries.tsx";
import { EntryForm } from "./entry-form.tsx";
import { MoreActions } from "./more-actions.tsx";
import { Notice } from "./notice.tsx";
import { StateMarks } from "./state-marks.tsx";

type Props = DescribedItem & {
  /** The stories that home.yaml features, which come before pinned ones. */
  featuredCount: number;
  refusal: Refusal | undefined;
};

/** A story, post or event that is, or was, on the site, and all that an editor can do with it. */
export function ItemPage(props: Props) {
  const { kind, id, state, isPinned, isPinnedByFile, corrections, rowId, file, refusal } = props;
  const isPublished = state === "published";
  const isLive = props.live === "live";
  const canBeLive = isPublished && rowId !== null && props.live !== undefined;
  return (
    <>
      <Notice notice={refusal ? null : props.notice} />
      <p>
        <Link to={publishedPath} className="desk-tap text-link">
          ← Published
        </Link>
      </p>
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
      {!isPublished && (
        <p className="callout mt-4">
          {state === "down"
            ? "It is taken down: its page says that it is gone, and it is in no list, feed or search result."
            : "Readers do not see it until it is published again."}
          {props.deletedOn && ` As a reader wrote it, it is deleted on ${props.deletedOn}.`}
        </p>
      )}
      {canBeLive && isLive && <EntryForm key={props.notice?.id} id={id} refusal={refusal} />}
      <div className="desk-actions">
        {isPublished && (
          <a href={toPublicPath(kind, id)} className="desk-button">
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
      {isPublished && <Entries id={id} entries={props.entries} />}
      {corrections && (
        <Corrections
          kind={kind}
          id={id}
          items={corrections}
          isPublished={isPublished}
          refusal={refusal}
        />
      )}
      {rowId !== null && <MoreActions kind={kind} id={id} state={state} refusal={refusal} />}
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

/** One confirmation, and no other page in between. */
const TakeDown = () => (
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

const ActionButton = ({ action, label, look = "desk-button" }: ActionProps) => (
  <Form method="post">
    <button type="submit" name="action" value={action} className={look}>
      {label}
    </button>
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

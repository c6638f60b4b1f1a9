import { Form, Link } from "react-router";
import {
  type ItemRefusal,
  type ItemState,
  maxCorrectionLength,
  maxSlugLength,
  publishedPath,
  type StoryAction,
  versionsPath,
} from "../model.ts";
import { StateMarks } from "./state-marks.tsx";

export type StoryPageProps = {
  slug: string;
  title: string;
  excerpt: string;
  /** The section, the authors and the date. */
  facts: string;
  state: ItemState;
  isPinned: boolean;
  corrections: { date: string; text: string }[];
  /** The id of the row. Null if the story is a file. */
  rowId: string | null;
  /** Where the story is edited, such as news/ferry.md. Null if it is a row. */
  file: string | null;
  /** Whether the file itself pins the story, so that the desk cannot unpin it. */
  isPinnedByFile: boolean;
  /** When a reader's story that is taken down is deleted. Null if it stays. */
  deletedOn: string | null;
  /** The stories that home.yaml features, which come before pinned ones. */
  featuredCount: number;
  refusal: ItemRefusal | undefined;
};

/** A story that is, or was, on the site, and all that an editor can do with it. */
export function StoryPage(props: StoryPageProps) {
  const { slug, title, excerpt, facts, state, isPinned, corrections, rowId, file } = props;
  return (
    <>
      <p className="desk-note">
        <Link to={publishedPath} className="text-link">
          Published
        </Link>
      </p>
      <h1 className="desk-heading mt-2">{title}</h1>
      <p>
        <StateMarks state={state} isPinned={isPinned} />
        <span className="text-ink-soft text-sm">{facts}</span>
      </p>
      {excerpt && <p className="mt-3">{excerpt}</p>}
      <StateNotice {...props} />
      <div className="desk-actions">
        {state === "published" && <TakeDown />}
        {state === "published" ? (
          <a href={`/news/${slug}`} className="desk-button">
            Open on the site
          </a>
        ) : (
          <ActionButton action="again" label="Publish again" look="button button-gold" />
        )}
        {rowId !== null && <EditButton rowId={rowId} />}
        {state === "published" && !props.isPinnedByFile && (
          <ActionButton
            action={isPinned ? "unpin" : "pin"}
            label={isPinned ? "Unpin from the front page" : "Pin to the front page"}
          />
        )}
      </div>
      {file !== null && (
        <p className="desk-note">
          To change its text, edit this in <code>{file}</code>.
          {props.isPinnedByFile && " The file pins it to the front page."}
        </p>
      )}
      {isPinned && props.featuredCount > 0 && (
        <p className="desk-note">
          The stories that home.yaml features come before pinned ones on the front page.
        </p>
      )}
      <section className="desk-section">
        <h2 className="desk-subheading">Corrections</h2>
        <ul className="desk-list">
          {corrections.map(({ date, text }) => (
            <li key={`${date} ${text}`} className="desk-row">
              <p>
                {text}
                <small>{date}</small>
              </p>
            </li>
          ))}
        </ul>
        <CorrectionForm refusal={props.refusal} />
      </section>
      {rowId !== null && <MoreActions {...props} />}
    </>
  );
}

function StateNotice({ state, deletedOn }: StoryPageProps) {
  if (state === "published") return null;
  return (
    <p className="callout mt-4" role="status">
      {state === "down"
        ? "It is taken down: its page says that it is gone, and it is in no list, feed or search result."
        : "Readers do not see it until it is published again."}
      {deletedOn && ` As a reader wrote it, it is deleted on ${deletedOn}.`}
    </p>
  );
}

/** One confirmation, and no other page in between. */
function TakeDown() {
  return (
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
}

type ActionProps = { action: StoryAction; label: string; look?: string };

const ActionButton = ({ action, label, look = "desk-button" }: ActionProps) => (
  <Form method="post">
    <button type="submit" name="action" value={action} className={look}>
      {label}
    </button>
  </Form>
);

/** Opens the draft of the story, which the page for writing creates if there is none. */
const EditButton = ({ rowId }: { rowId: string }) => (
  <Form method="post" action="/desk/write">
    <input type="hidden" name="kind" value="story" />
    <input type="hidden" name="item" value={rowId} />
    <button type="submit" className="desk-button">
      Edit
    </button>
  </Form>
);

function CorrectionForm({ refusal }: { refusal: ItemRefusal | undefined }) {
  const error = refusal?.action === "correct" ? refusal : null;
  return (
    <Form method="post" className="mt-4 space-y-3">
      <label htmlFor="correction" className="block font-semibold">
        What was wrong, and what is right
      </label>
      <textarea
        id="correction"
        name="text"
        rows={3}
        required
        maxLength={maxCorrectionLength}
        defaultValue={error?.typed}
        aria-describedby="correction-note"
        aria-invalid={error ? true : undefined}
        className="field block"
      />
      <p id="correction-note" className={error ? "desk-error" : "desk-note"}>
        {error?.message ?? "Readers see it below the story, with the date of today."}
      </p>
      <button type="submit" name="action" value="correct" className="desk-button">
        Publish the correction
      </button>
    </Form>
  );
}

function MoreActions({ slug, state, refusal }: StoryPageProps) {
  const error = refusal?.action === "rename" ? refusal : null;
  return (
    <section className="desk-section">
      <h2 className="desk-subheading mb-2">More</h2>
      <p className="border-line border-y py-3">
        <Link to={versionsPath("story", slug)} className="text-link">
          Versions
        </Link>
      </p>
      {state === "published" && (
        <details className="desk-fold" open={error !== null}>
          <summary className="fold">Rename its path</summary>
          <Form method="post">
            <label htmlFor="slug" className="block">
              The last part of /news/{slug}
            </label>
            <input
              id="slug"
              name="text"
              defaultValue={error?.typed ?? slug}
              maxLength={maxSlugLength}
              required
              autoCapitalize="none"
              autoComplete="off"
              aria-describedby="slug-note"
              aria-invalid={error ? true : undefined}
              className="field"
            />
            <p id="slug-note" className={error ? "desk-error" : "desk-note"}>
              {error?.message ?? "Old links lead to the new path."}
            </p>
            <button type="submit" name="action" value="rename" className="desk-button">
              Rename
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

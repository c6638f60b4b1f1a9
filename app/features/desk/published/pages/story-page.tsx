import type { ItemRefusal, ItemState } from "../model.ts";
import {
  ActionButton,
  Corrections,
  EditButton,
  FileNote,
  ItemHead,
  StateNotice,
  TakeDown,
} from "./item-parts.tsx";
import { MoreActions } from "./more-actions.tsx";

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
      <ItemHead title={title} facts={facts} state={state} isPinned={isPinned} excerpt={excerpt} />
      <StateNotice state={state}>
        {props.deletedOn && ` As a reader wrote it, it is deleted on ${props.deletedOn}.`}
      </StateNotice>
      <div className="desk-actions">
        {state === "published" && <TakeDown />}
        {state === "published" ? (
          <a href={`/news/${slug}`} className="desk-button">
            Open on the site
          </a>
        ) : (
          <ActionButton action="again" label="Publish again" look="button button-gold" />
        )}
        {rowId !== null && <EditButton kind="story" rowId={rowId} />}
        {state === "published" && !props.isPinnedByFile && (
          <ActionButton
            action={isPinned ? "unpin" : "pin"}
            label={isPinned ? "Unpin from the front page" : "Pin to the front page"}
          />
        )}
      </div>
      {file !== null && (
        <FileNote file={file}>
          {props.isPinnedByFile && " The file pins it to the front page."}
        </FileNote>
      )}
      {isPinned && props.featuredCount > 0 && (
        <p className="desk-note">
          The stories that home.yaml features come before pinned ones on the front page.
        </p>
      )}
      <Corrections items={corrections} noun="story" refusal={props.refusal} />
      {rowId !== null && <MoreActions {...props} kind="story" />}
    </>
  );
}

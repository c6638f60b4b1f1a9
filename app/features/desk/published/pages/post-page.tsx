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

type Props = {
  slug: string;
  title: string;
  excerpt: string;
  /** The authors and the date. */
  facts: string;
  state: ItemState;
  corrections: { date: string; text: string }[];
  /** The id of the row. Null if the post is a file. */
  rowId: string | null;
  /** Where the post is edited, such as blog/pier.md. Null if it is a row. */
  file: string | null;
  refusal: ItemRefusal | undefined;
};

/** A post that is, or was, on the site, and all that an editor can do with it. */
export function PostPage({ slug, corrections, rowId, file, refusal, ...head }: Props) {
  const { state } = head;
  return (
    <>
      <ItemHead {...head} />
      <StateNotice state={state} />
      <div className="desk-actions">
        {state === "published" && <TakeDown />}
        {state === "published" && (
          <a href={`/blog/${slug}`} className="desk-button">
            Open on the site
          </a>
        )}
        {(state === "down" || (state === "draft" && file === null)) && (
          <ActionButton action="again" label="Publish again" look="button button-gold" />
        )}
        {rowId !== null && <EditButton kind="post" rowId={rowId} />}
      </div>
      {file !== null && <FileNote file={file} />}
      <Corrections items={corrections} noun="post" refusal={refusal} />
      {rowId !== null && <MoreActions kind="post" slug={slug} state={state} refusal={refusal} />}
    </>
  );
}

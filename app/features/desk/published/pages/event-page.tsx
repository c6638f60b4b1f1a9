import type { ItemState } from "../model.ts";
import {
  ActionButton,
  EditButton,
  FileNote,
  ItemHead,
  StateNotice,
  TakeDown,
} from "./item-parts.tsx";

type Props = {
  id: string;
  title: string;
  /** When and where it takes place, and where the event comes from. */
  facts: string;
  state: ItemState;
  /** Whether the desk can edit it. */
  isRow: boolean;
  /** Where the event is edited, such as events/parade.md. Null if it is not a file. */
  file: string | null;
};

/** An event that is, or was, on the site, and all that an editor can do with it. */
export function EventPage({ id, title, facts, state, isRow, file }: Props) {
  return (
    <>
      <ItemHead title={title} facts={facts} state={state} excerpt="" />
      <StateNotice state={state} />
      <div className="desk-actions">
        {state === "published" && <TakeDown />}
        {state === "published" ? (
          <a href={`/events/${id}`} className="desk-button">
            Open on the site
          </a>
        ) : (
          <ActionButton action="again" label="Publish again" look="button button-gold" />
        )}
        {isRow && <EditButton kind="event" rowId={id} />}
      </div>
      {file !== null && <FileNote file={file} />}
    </>
  );
}

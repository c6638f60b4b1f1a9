import { Link } from "../../../ui/link.tsx";

type Entry = {
  id: string;
  time: string;
  editorName: string;
  action: string;
  kind: string;
  title: string;
  /** The path at the desk of what the entry is about. Null if that no longer exists. */
  place: string | null;
  note: string;
};

type Props = {
  entries: Entry[];
  /** The time before which the next page begins. Null on the last page. */
  older: string | null;
};

export function LogPage({ entries, older }: Props) {
  return (
    <>
      <h1 className="desk-heading">Log</h1>
      {entries.length === 0 && <p className="desk-note">Nothing yet.</p>}
      <ul className="desk-list">
        {entries.map(({ id, time, editorName, action, kind, title, place, note }) => (
          <li key={id} className="desk-row">
            <p>
              <strong>{editorName}</strong> {action} {kind === "device" ? "" : kind}{" "}
              {place ? (
                <Link to={place} className="text-link">
                  {title || "Untitled"}
                </Link>
              ) : (
                title
              )}
              {note && (
                <span className="my-1 block border-line border-l-3 pl-3 text-ink-soft">{note}</span>
              )}
              <small>{time}</small>
            </p>
          </li>
        ))}
      </ul>
      {older && (
        <p>
          <Link to={`?${new URLSearchParams({ before: older })}`} className="text-link">
            Older
          </Link>
        </p>
      )}
    </>
  );
}

import { Link } from "react-router";
import { useHydrated } from "../../../../ui/hooks/use-hydrated.ts";
import { itemPath, type Kind, type ListPart, toItemValue, toListQuery } from "../model.ts";
import type { Row } from "../view.server.ts";

const labels: Record<Kind, string> = { story: "Story", event: "Event", message: "Message" };

/** What readers sent, each with a checkbox. Belongs into a form. Each page links back to the part. */
export function Rows({ rows, part }: { rows: Row[]; part: ListPart }) {
  return (
    <ul className="waiting-rows">
      {rows.map((row) => (
        <li key={row.id} className="waiting-row">
          <label className="waiting-check">
            <input
              type="checkbox"
              name="item"
              value={toItemValue(row)}
              aria-label={`Select ${row.title}`}
              className="size-6"
            />
          </label>
          <div className="relative min-w-0">
            <p className="waiting-meta">
              <b>{labels[row.kind]}</b> {row.received}
              {row.imageCount > 0 &&
                ` · ${row.imageCount === 1 ? "1 image" : `${row.imageCount} images`}`}
            </p>
            <h2 className="desk-item waiting-title">
              <Link to={itemPath(row) + toListQuery(part)} className="cover-link">
                {row.title}
              </Link>
            </h2>
            {row.when && <p className="text-sm">{row.when}</p>}
            {row.excerpt && <p className="waiting-excerpt">{row.excerpt}</p>}
            <p className="waiting-meta">{row.sender || "No name or email address"}</p>
            {row.findings.length > 0 && (
              <p className="waiting-findings">
                {row.findings.map(({ label, isNeutral }) => (
                  <span key={label} className={isNeutral ? undefined : "text-crab"}>
                    {label}
                  </span>
                ))}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Checks all rows of the page. Without scripts it could do nothing, so it is not there. */
export function CheckAll({ count, isWhole }: { count: number; isWhole: boolean }) {
  const isHydrated = useHydrated();
  if (!isHydrated || count < 2) return null;
  return (
    <label className="waiting-all">
      <input
        type="checkbox"
        className="size-6"
        onChange={({ currentTarget: { form, checked } }) => {
          for (const box of form?.querySelectorAll<HTMLInputElement>("input[name=item]") ?? [])
            box.checked = checked;
        }}
      />
      All {count}
      {!isWhole && " on this page"}
    </label>
  );
}

type PagesProps = { path: string; kind: Kind | null; page: number; last: number };

export function Pages({ path, kind, page, last }: PagesProps) {
  if (last < 2) return null;
  const to = (number: number) => path + toListQuery({ kind, page: number });
  return (
    <nav aria-label="Pages" className="waiting-pages">
      {page > 1 && (
        <Link to={to(page - 1)} className="desk-tap text-link">
          Newer
        </Link>
      )}
      <span>
        Page {page} of {last}
      </span>
      {page < last && (
        <Link to={to(page + 1)} className="desk-tap text-link">
          Older
        </Link>
      )}
    </nav>
  );
}

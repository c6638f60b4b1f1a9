import { useHydrated } from "../../../../ui/hooks/use-hydrated.ts";
import { Link } from "../../../../ui/link.tsx";
import { kindLabels } from "../../model.ts";
import { type ListPart, submissionPath, toItemValue, toListQuery } from "../model.ts";
import type { Row } from "../view.server.ts";

type RowsProps = {
  rows: Row[];
  /** The part of the list, to which the page of each row links back. */
  part: ListPart;
  /** Whether each row has a checkbox. The rows then have to be in a form. */
  canSelect: boolean;
};

export function Rows({ rows, part, canSelect }: RowsProps) {
  return (
    <ul className="divide-y divide-line border-line border-y">
      {rows.map((row) => (
        <li
          key={row.id}
          className={
            canSelect ? "grid grid-cols-[2.75rem_1fr] gap-x-2 py-4 has-checked:bg-surface" : "py-4"
          }
        >
          {canSelect && (
            <label className="flex min-h-11 justify-center pt-1">
              <input
                type="checkbox"
                name="item"
                value={toItemValue(row)}
                aria-label={`Select ${row.title}`}
                data-suspicious={row.isSuspicious || undefined}
                className="size-6"
              />
            </label>
          )}
          <div className="relative min-w-0">
            <p className="waiting-meta">
              <b>{row.category || kindLabels[row.kind].one}</b> {row.received}
              {row.imageCount > 0 &&
                ` · ${row.imageCount === 1 ? "1 image" : `${row.imageCount} images`}`}
            </p>
            <h2
              className={
                row.kind === "message"
                  ? "my-1 line-clamp-2 font-normal font-sans text-base wrap-anywhere"
                  : "desk-item my-1 line-clamp-3"
              }
            >
              <Link to={submissionPath(row) + toListQuery(part)} className="cover-link">
                {row.title}
              </Link>
            </h2>
            {row.when && <p className="text-sm">{row.when}</p>}
            {row.excerpt && <p className="line-clamp-2 text-note wrap-anywhere">{row.excerpt}</p>}
            <p className="waiting-meta">{row.sender || "No name or email address"}</p>
            {row.remarks.length > 0 && (
              <p className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 font-semibold text-sm">
                {row.remarks.map(({ label, isNeutral }) => (
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

/**
 * Checks all rows of the page, or those that look like spam. Without scripts they could do nothing.
 */
export function CheckRows({ rows, isWhole }: { rows: Row[]; isWhole: boolean }) {
  const isHydrated = useHydrated();
  const suspicious = rows.filter((row) => row.isSuspicious).length;
  if (!isHydrated || rows.length < 2) return null;
  return (
    <div className="flex flex-wrap gap-x-6">
      <CheckBox label={`All ${rows.length}${isWhole ? "" : " on this page"}`} rows="" />
      {suspicious > 0 && suspicious < rows.length && (
        <CheckBox label={`Suspicious ${suspicious}`} rows="[data-suspicious]" />
      )}
    </div>
  );
}

const CheckBox = ({ label, rows }: { label: string; rows: string }) => (
  <label className="flex min-h-11 items-center gap-3 pl-2.5">
    <input
      type="checkbox"
      className="size-6"
      onChange={({ currentTarget: { form, checked } }) => {
        const boxes = form?.querySelectorAll<HTMLInputElement>(`input[name=item]${rows}`) ?? [];
        for (const box of boxes) box.checked = checked;
      }}
    />
    {label}
  </label>
);

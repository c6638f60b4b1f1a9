import { PillRow } from "../../../../ui/choices/pill-row.tsx";
import { Link } from "../../../../ui/link.tsx";
import { kindLabels } from "../../model.ts";
import { type Kind, toListQuery } from "../model.ts";

type Props = { path: string; current: Kind | null; counts: { kind: Kind; count: number }[] };

/** Links that show one kind of what readers sent, with how many there are. */
export function KindLinks({ path, current, counts }: Props) {
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const choices = [
    { kind: null, label: "All", count: all },
    ...counts.map(({ kind, count }) => ({ kind, label: kindLabels[kind].many, count })),
  ];
  return (
    <nav aria-label="Kinds">
      <PillRow>
        {choices.map(({ kind, label, count }) => (
          <li key={label}>
            <Link
              to={path + toListQuery({ kind, page: 1 })}
              aria-current={kind === current ? "true" : undefined}
              className="pill waiting-pill"
            >
              {label} <span className="waiting-number">{count.toLocaleString("en-US")}</span>
            </Link>
          </li>
        ))}
      </PillRow>
    </nav>
  );
}

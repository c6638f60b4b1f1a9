import { Link } from "./link.tsx";

type Props = {
  label: string;
  page: number;
  hasOlder: boolean;
  to(page: number): string;
  /** What the list shows, such as "stories". */
  noun?: string;
};

/** Leads from a page of a list to those before and after it. */
export function PageSteps({ label, page, hasOlder, to, noun = "" }: Props) {
  return (
    <nav aria-label={label} className="no-print mt-8 flex flex-wrap gap-4 empty:hidden">
      {page > 1 && (
        <Link to={to(page - 1)} rel="prev" className="button button-plain">
          {`Newer ${noun}`.trim()}
        </Link>
      )}
      {hasOlder && (
        <Link to={to(page + 1)} rel="next" className="button button-plain">
          {`Older ${noun}`.trim()}
        </Link>
      )}
    </nav>
  );
}

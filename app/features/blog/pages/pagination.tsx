import { Link } from "../../../ui/link.tsx";
import { pageButtons } from "../model.ts";
import { listPath } from "../paths.ts";

/**
 * Plain links, so that every page has its own URL, works without JavaScript and works with the back
 * button.
 */
export function Pagination({ current, pages }: { current: number; pages: number }) {
  if (pages <= 1) return null;
  return (
    <nav aria-label="Blog pages" className="mt-12 no-print" data-offline="own">
      <ul className="flex flex-wrap items-center justify-center gap-1.5 sm:gap-2">
        <li>
          <Step to={current - 1} pages={pages} label="Previous" />
        </li>
        {pageButtons(current, pages).map((button, index) =>
          button === "gap" ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a gap has no other identity
            <li key={`gap-${index}`} aria-hidden="true" className="px-1">
              …
            </li>
          ) : (
            <li key={button}>
              <Link
                to={listPath(button)}
                preventScrollReset
                className="page-button"
                aria-current={button === current ? "page" : undefined}
              >
                {button}
              </Link>
            </li>
          ),
        )}
        <li>
          <Step to={current + 1} pages={pages} label="Next" />
        </li>
      </ul>
    </nav>
  );
}

function Step({ to, pages, label }: { to: number; pages: number; label: string }) {
  if (to < 1 || to > pages) {
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: at the end of the list, the link leads nowhere
      // biome-ignore lint/a11y/useSemanticElements: HTML has no disabled links, so this is a link without href
      <span role="link" aria-disabled="true" className="page-button">
        {label}
      </span>
    );
  }
  return (
    <Link to={listPath(to)} preventScrollReset className="page-button">
      {label}
    </Link>
  );
}

import type { ComponentProps, ReactNode } from "react";
import { useLocation } from "react-router";
import { Link } from "../../../ui/link.tsx";
import { UnsentNotice } from "../../forms/unsent/unsent-notice.tsx";
import { unsentField } from "../model.ts";

type PressProps = Omit<ComponentProps<"button">, "type" | "className"> & { look?: string };

/** A button that sends its form with the action to do. */
export const Press = ({ name = "action", look = "desk-button", ...props }: PressProps) => (
  <button type="submit" name={name} className={look} {...props} />
);

type TypedProps = Pick<ComponentProps<typeof UnsentNotice>, "path" | "form">;

/** Stores what is typed into a form on the device, until the server has it (`sendDeskForm`). */
export const StoredText = ({ path, form }: TypedProps) => (
  <>
    <UnsentNotice path={path} form={form} isAlwaysStored />
    <input type="hidden" name={unsentField} value={path} />
  </>
);

type PagesProps = { page: number; last: number; toPath(page: number): string };

/** The links between the pages of a list. */
export const Pages = ({ page, last, toPath }: PagesProps) =>
  last > 1 && (
    <nav
      aria-label="Pages"
      className="mt-4 flex items-center justify-between gap-4 text-ink-soft text-sm"
    >
      {page > 1 && (
        <Link to={toPath(page - 1)} className="desk-tap text-link">
          Newer
        </Link>
      )}
      <span>
        Page {page} of {last}
      </span>
      {page < last && (
        <Link to={toPath(page + 1)} className="desk-tap text-link">
          Older
        </Link>
      )}
    </nav>
  );

type BackProps = { to: string; children: ReactNode };

/** The link to the page above. */
export const BackLink = ({ to, children }: BackProps) => (
  <p>
    <Link to={to} className="desk-tap text-link">
      ← {children}
    </Link>
  </p>
);

/** Says what the editor has just done. */
export function Notice({ notice }: { notice: string | undefined }) {
  // With the key, screen readers announce the same text a second time.
  const { key } = useLocation();
  return (
    <div role="status">
      {notice && (
        <p key={key} className="callout mb-4 font-medium">
          {notice}
        </p>
      )}
    </div>
  );
}

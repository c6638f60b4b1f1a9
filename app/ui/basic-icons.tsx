import type { ReactNode } from "react";

/**
 * Icons are drawn on a 24 × 24 grid, in the color of the text next to them. They are decoration:
 * the accessible name is on the control. Every page loads the icons of this file.
 */
export function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const SearchIcon = () => (
  <Icon>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="m15.5 15.5 5 5" />
  </Icon>
);

export const MenuIcon = () => (
  <Icon>
    <path d="M3.5 6.5h17M3.5 12h17M3.5 17.5h17" />
  </Icon>
);

export const CloseIcon = () => (
  <Icon>
    <path d="m6 6 12 12M18 6 6 18" />
  </Icon>
);

/** Follows the text of a link to another site. */
export const ExternalLinkIcon = () => (
  <svg
    viewBox="0 0 12 12"
    width="11"
    height="11"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    className="ml-1 inline-block text-ink-soft"
    aria-hidden="true"
  >
    <path d="M3 9 9.5 2.5M4.5 2h5.5v5.5" />
  </svg>
);

export const BookmarkIcon = ({ isFilled }: { isFilled: boolean }) => (
  <Icon>
    <path d="M6.5 3.8h11v16.7L12 16.2l-5.5 4.3z" fill={isFilled ? "currentColor" : undefined} />
  </Icon>
);

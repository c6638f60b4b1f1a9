import { createElement, type ReactNode } from "react";

/**
 * Icons are drawn on a 24 × 24 grid, in the color of the text next to them. They are decoration:
 * the accessible name is on the control.
 */
function Icon({ children }: { children?: ReactNode }) {
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

const createIcon =
  (...shapes: ReactNode[]) =>
  () =>
    createElement(Icon, null, ...shapes);

export const SearchIcon = createIcon(
  <circle cx="10.5" cy="10.5" r="6.5" />,
  <path d="m15.5 15.5 5 5" />,
);
export const MenuIcon = createIcon(<path d="M3.5 6.5h17M3.5 12h17M3.5 17.5h17" />);
export const CloseIcon = createIcon(<path d="m6 6 12 12M18 6 6 18" />);
export const CalendarIcon = createIcon(
  <rect x="3.5" y="5" width="17" height="15.5" rx="2" />,
  <path d="M3.5 10h17M8 2.8v4M16 2.8v4" />,
);
export const ClockIcon = createIcon(
  <circle cx="12" cy="12" r="8.8" />,
  <path d="M12 7v5.2l3.4 2" />,
);
export const MoonIcon = createIcon(
  <path d="M20 14.2A8.5 8.5 0 0 1 9.8 4a8.5 8.5 0 1 0 10.2 10.2z" />,
);
export const PlaceIcon = createIcon(
  <path d="M12 21.5c4.6-5 6.8-8.6 6.8-11.6a6.8 6.8 0 1 0-13.6 0c0 3 2.2 6.6 6.8 11.6z" />,
  <circle cx="12" cy="9.8" r="2.4" />,
);
export const PlayIcon = createIcon(<path d="m7.5 4.8 11 7.2-11 7.2z" fill="currentColor" />);
export const PauseIcon = createIcon(<path d="M8 5v14M16 5v14" strokeWidth="3" />);
export const SpeakerIcon = createIcon(
  <path d="M4 9.5v5h3.6l4.9 4.2V5.3L7.6 9.500z" fill="currentColor" />,
  <path d="M15.8 9a4.2 4.2 0 0 1 0 6M18.3 6.500a7.8 7.8 0 0 1 0 11" />,
);
export const MutedIcon = createIcon(
  <path d="M4 9.5v5h3.6l4.9 4.2V5.3L7.6 9.500z" fill="currentColor" />,
  <path d="m16 9.5 5 5M21 9.500l-5 5" />,
);
export const ShareIcon = createIcon(<path d="M12 3.5v11M8 7l4-3.8L16 7M6 11.5H5v9h14v-9h-1" />);
export const CopyIcon = createIcon(
  <path d="M9.8 14.2a4 4 0 0 1 0-5.6l3.4-3.4a4 4 0 0 1 5.6 5.6l-1.6 1.6M14.2 9.8a4 4 0 0 1 0 5.6l-3.4 3.4a4 4 0 0 1-5.6-5.6l1.6-1.6" />,
);
export const FollowIcon = createIcon(
  <path d="M5 11a8 8 0 0 1 8 8M5 5a14 14 0 0 1 14 14" />,
  <circle cx="6" cy="18" r="1.2" />,
);
export const MailIcon = createIcon(
  <rect x="3" y="5.5" width="18" height="13" rx="1.5" />,
  <path d="m3.5 7 8.5 6.5L20.5 7" />,
);
export const PrintIcon = createIcon(<path d="M7 8.5v-5h10v5M7 17.5H4v-9h16v9h-3M7 14h10v6.5H7z" />);
export const FlagIcon = createIcon(
  <path d="M5.5 21V3.5M5.5 4.500h12.500l-3 4.250 3 4.250h-12.500" />,
);
export const ArrowLeftIcon = createIcon(<path d="M20 12H4.5M11 5l-7 7 7 7" />);
export const FacebookIcon = createIcon(
  <circle cx="12" cy="12" r="9.2" />,
  <path d="M12.2 21v-9.3c0-2 1-3 3.2-2.8M9.4 13.4h5.2" />,
);
export const XIcon = createIcon(
  <path d="M4.5 4.5h3.6l11.4 15h-3.6zM19 4.5l-6.2 6.6M5 19.5l6.2-6.6" />,
);
export const InstagramIcon = createIcon(
  <rect x="3.8" y="3.8" width="16.4" height="16.4" rx="4.6" />,
  <circle cx="12" cy="12" r="3.9" />,
  <path d="M16.9 7.1h.01" />,
);
export const YouTubeIcon = createIcon(
  <rect x="2.5" y="5.3" width="19" height="13.4" rx="3.8" />,
  <path d="m10.2 9.3 4.8 2.7-4.8 2.7z" fill="currentColor" />,
);
export const DisplayIcon = createIcon(
  <path d="M2.5 18.5 7.3 6h.6l4.8 12.5M4.2 14.2h6.8M13.8 18.5l3.5-8.6h.5l3.7 8.6M15 15.7h5.3" />,
);

/** Follows the last word of a link. The word joiner before it keeps both on one line. */
export const ExternalLinkIcon = () => (
  <span className="whitespace-nowrap text-ink-soft before:content-['\2060']">
    <svg
      viewBox="0 0 12 12"
      width="11"
      height="11"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      className="ml-1 inline-block"
      aria-hidden="true"
    >
      <path d="M3 9 9.5 2.5M4.5 2h5.5v5.5" />
    </svg>
  </span>
);

export const BookmarkIcon = ({ isFilled }: { isFilled: boolean }) => (
  <Icon>
    <path d="M6.5 3.8h11v16.7L12 16.2l-5.5 4.3z" fill={isFilled ? "currentColor" : undefined} />
  </Icon>
);

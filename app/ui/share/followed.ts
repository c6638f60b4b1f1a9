/** What can be followed: a list of the site, with its filters. */
export type Followed = {
  /** What the list is called, such as "Local News from Hampden". */
  title: string;
  /** The path of its feeds, without the extension, and their query. */
  feed?: { path: string; query?: string };
  /** What its feeds contain, if that is not the same as on the page. */
  feedNote?: string;
  /** The feeds of its parts, such as categories. */
  parts?: { label: string; href: string }[];
  /** The path and query of its calendar. */
  calendar?: string;
  /** The path and query of its widget, which other sites can show in a frame. */
  widget?: string;
};

export type FollowProps = Followed & {
  /** The origin of the site: other programs need full URLs. */
  origin: string;
};

/** A link with this fragment opens the panel. No element has this id, so the page does not scroll. */
export const followFragment = "#open-follow";

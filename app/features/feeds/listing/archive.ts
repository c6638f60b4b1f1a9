export const archivePageSize = 50;
/** The last page of a list in the archive. To see older headlines, readers choose a month. */
export const lastArchivePage = 100;

/** The choices of a reader of the archive. Invalid choices are ignored. */
export type ArchiveFilter = {
  month: string | null;
  section: string | null;
  source: string | null;
  page: number;
};

type ArchivedHeadline = {
  id: number;
  title: string;
  link: string;
  source: string;
  time: { iso: string; shown: string };
};

type OwnTextLink = { title: string; link: string; shown: string };

export type Archive = {
  filter: ArchiveFilter;
  /** The filter in words, such as "October 2026, Sports". Empty if there is no filter. */
  filterLabel: string;
  /** The name of the chosen source. */
  sourceName: string | null;
  months: { month: string; label: string }[];
  /** Newest first. */
  headlines: ArchivedHeadline[];
  hasOlder: boolean;
  /** Whether the archive has any headline at all, regardless of the filter. */
  hasAny: boolean;
  /**
   * Our stories from the chosen month and section, or the newest if no month is chosen. Empty if a
   * source is chosen.
   */
  stories: OwnTextLink[];
  /**
   * Our posts from the chosen month, or the newest posts if no month is chosen. Empty if a section
   * or source is chosen.
   */
  posts: OwnTextLink[];
  sections: { id: string; heading: string }[];
  sources: { id: string; name: string }[];
};

export const archivePageSize = 50;
/** Further back, a reader chooses a month. */
export const lastArchivePage = 100;

/** What a reader of the archive has asked for. Anything that cannot be is as good as not asked. */
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

export type Archive = {
  filter: ArchiveFilter;
  /** In words what was asked for: "October 2026, Sports". Empty when nothing was. */
  filterLabel: string;
  months: { month: string; label: string }[];
  /** Newest first. */
  headlines: ArchivedHeadline[];
  hasOlder: boolean;
  /** Whether any headline has been kept, of whatever month, section or source. */
  hasAny: boolean;
  /** Our own posts of that month, or the newest; headlines of a section or a source stand alone. */
  posts: { title: string; link: string; shown: string }[];
  sections: { id: string; heading: string }[];
  sources: { id: string; name: string }[];
};

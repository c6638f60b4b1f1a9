export const archivePageSize = 50;

/** What a reader of the archive has asked for. Anything that cannot be is as good as not asked. */
export type ArchiveQuestion = {
  month: string | null;
  section: string | null;
  source: string | null;
  page: number;
};

export type KeptHeadline = {
  title: string;
  link: string;
  source: string;
  time: { iso: string; shown: string };
};
export type ArchiveMonth = { month: string; label: string; count: number };

export type Archive = {
  asked: ArchiveQuestion;
  months: ArchiveMonth[];
  /** Of the month asked for, or of all time; newest first. */
  kept: KeptHeadline[];
  total: number;
  /** Our own posts of that month, or the newest; headlines of a section or a source stand alone. */
  posts: { title: string; link: string; shown: string }[];
  sections: { id: string; heading: string }[];
  sources: { id: string; name: string }[];
};

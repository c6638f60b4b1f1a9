export const defaultMaxItems = 5;

/** A headline as it is shown, of another's story or of a sample of ours. */
export type Headline = {
  title: string;
  link: string;
  source: string;
  summary: string;
  /** The same instant for machines and for readers. */
  time: { iso: string; shown: string } | null;
  /** Other places where the same story can be read. */
  also: { source: string; link: string }[];
  paywall: boolean;
  isSample: boolean;
};

/** A meeting as a source or an editor describes it. A URL is empty if there is no such document. */
export type SourceMeeting = {
  id: string;
  name: string;
  text: string;
  location: string;
  startsAt: Date;
  endsAt: Date;
  allDay: boolean;
  agenda: string;
  minutes: string;
  video: string;
  link: string;
  canceled: boolean;
  /** What only editors write. */
  title?: string;
  howToSpeak?: string;
  signUp?: string;
};

/** Readers need something to click on. */
export const hasVisibleName = ({ name }: Pick<SourceMeeting, "name">): boolean =>
  /[\p{L}\p{N}]/u.test(name);

/** "Canceled: …", "Meeting canceled", "This meeting has been cancelled". */
const canceledStart =
  /^\W*(?:(?:this|the) )?(?:meeting |hearing )?(?:is |was |has been )?cancel(?:l?ed|lation)\b/i;

/**
 * Whether a text begins by saying that the meeting is canceled. Many bodies have no field for it.
 */
export const isCanceledText = (text: string): boolean => canceledStart.test(text);

export const withoutCanceled = (title: string): string =>
  title.replace(/^\W*cancel(?:l?ed|lation)\b\W*/i, "") || title;

const maxUrlLength = 2_000;

/** Returns a URL that a page may link to, or an empty string. */
export function toWebUrl(text: string): string {
  const url = text.length > maxUrlLength ? null : URL.parse(text);
  return url && ["http:", "https:"].includes(url.protocol) ? url.href : "";
}

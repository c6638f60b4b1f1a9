/** The formats in which our lists can be followed, by the ending of the address. */
export const feedFormats = {
  xml: { name: "RSS", type: "application/rss+xml" },
  atom: { name: "Atom", type: "application/atom+xml" },
  json: { name: "JSON", type: "application/feed+json" },
} as const;

export type FeedExtension = keyof typeof feedFormats;

export const feedExtensions: FeedExtension[] = ["xml", "atom", "json"];

/** Tells programs that a page can be followed, and where. */
export const feedLinks = (path: string, title: string) =>
  feedExtensions.map((ending) => ({
    tagName: "link",
    rel: "alternate",
    type: feedFormats[ending].type,
    title: `${title} (${feedFormats[ending].name})`,
    href: `${path}.${ending}`,
  }));

/** The formats of our feeds, by the extension of the path. */
export const feedFormats = {
  xml: { name: "RSS", type: "application/rss+xml" },
  atom: { name: "Atom", type: "application/atom+xml" },
  json: { name: "JSON", type: "application/feed+json" },
} as const;

export type FeedExtension = keyof typeof feedFormats;

export const feedExtensions: FeedExtension[] = ["xml", "atom", "json"];

/** The <link> elements that tell feed readers where the feeds of a page are. */
export const feedLinks = (path: string, title: string) =>
  feedExtensions.map((extension) => ({
    tagName: "link",
    rel: "alternate",
    type: feedFormats[extension].type,
    title: `${title} (${feedFormats[extension].name})`,
    href: `${path}.${extension}`,
  }));

/** The formats of our feeds, by the extension of the path. */
export const feedFormats = {
  xml: { name: "RSS", type: "application/rss+xml" },
  atom: { name: "Atom", type: "application/atom+xml" },
  json: { name: "JSON Feed", type: "application/feed+json" },
} as const;

export type FeedExtension = keyof typeof feedFormats;

export const feedExtensions: FeedExtension[] = ["xml", "atom", "json"];

/** The format that the path of a feed asks for. */
export const findFeedExtension = ({ pathname }: URL): FeedExtension =>
  feedExtensions.find((extension) => pathname.endsWith(`.${extension}`)) ?? "xml";

/** The path of a feed. `path` has no extension; `query` is empty or begins with a question mark. */
export const feedHref = (path: string, extension: FeedExtension, query = "") =>
  `${path}.${extension}${query}`;

/** The <link> elements that tell feed readers where the feeds of a page are. */
export const feedLinks = (path: string, title: string, query = "") =>
  feedExtensions.map((extension) => ({
    tagName: "link",
    rel: "alternate",
    type: feedFormats[extension].type,
    title: `${title} (${feedFormats[extension].name})`,
    href: feedHref(path, extension, query),
  }));

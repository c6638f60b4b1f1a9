import type { MetaDescriptor } from "react-router";

/**
 * The head of a page whose content arrives by itself: React moves title, meta and link into the
 * document's head, and exchanges them when the content does. Everywhere else a route's `meta` says
 * the same before the page is drawn.
 */
export function HeadTags({ tags }: { tags: MetaDescriptor[] }) {
  return tags.map((tag) => {
    const key = JSON.stringify(tag).slice(0, 80);
    // Before the title, which a link may have too.
    if ("tagName" in tag && tag.tagName === "link") {
      const { tagName, ...attributes } = tag;
      return <link key={key} {...attributes} />;
    }
    if ("title" in tag) return <title key="title">{String(tag.title)}</title>;
    if ("script:ld+json" in tag)
      return (
        <script
          key={key}
          type="application/ld+json"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: data, with the one sign escaped that could end the element
          dangerouslySetInnerHTML={{
            __html: JSON.stringify(tag["script:ld+json"]).replaceAll("<", "\\u003c"),
          }}
        />
      );
    return <meta key={key} {...tag} />;
  });
}

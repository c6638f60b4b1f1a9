import type { MetaDescriptor } from "react-router";

/**
 * The head of a page that loads its content in the browser. React moves title, meta and link
 * elements into the document's head, and replaces them when the content changes. All other pages
 * use the `meta` function of their route, which runs before the page is rendered.
 */
export function HeadTags({ tags }: { tags: MetaDescriptor[] }) {
  return tags.map((tag) => {
    const key = JSON.stringify(tag).slice(0, 80);
    // This check comes first, because a link can have a title too.
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
          // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON, with "<" escaped, which could end the element
          dangerouslySetInnerHTML={{
            __html: JSON.stringify(tag["script:ld+json"]).replaceAll("<", "\\u003c"),
          }}
        />
      );
    return <meta key={key} {...tag} />;
  });
}

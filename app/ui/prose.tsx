import type { MouseEvent } from "react";
import { useNavigate } from "react-router";
import { addPhotoSources } from "../lib/images/photos.ts";
import { ownPath } from "../lib/links/own-path.ts";
import { opensHere } from "./link.tsx";

/**
 * Text that was written in Markdown and converted to safe HTML on the server. The router opens its
 * links to our own pages, so they do not reload the site.
 */
export function Prose({ html }: { html: string }) {
  const navigate = useNavigate();
  const follow = (event: MouseEvent<HTMLDivElement>) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || !opensHere(event, link)) return;
    if (link.origin !== location.origin || link.pathname === location.pathname) return;
    event.preventDefault();
    navigate(ownPath(link));
  };
  const __html = addPhotoSources(html);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link that is activated with the keyboard sends a click too
    // biome-ignore lint/a11y/noStaticElementInteractions: readers click the links inside, not the element
    // biome-ignore lint/security/noDangerouslySetInnerHtml: markdown.server.ts allows only safe elements
    <div className="prose" onClick={follow} dangerouslySetInnerHTML={{ __html }} />
  );
}

import type { MouseEvent } from "react";
import { useNavigate } from "react-router";
import { ownPath } from "../lib/links/own-path.ts";

/**
 * A text that was written in Markdown and made into safe HTML on the server. Its links to our own
 * pages lead there like all others, without loading the site anew.
 */
export function Prose({ html }: { html: string }) {
  const navigate = useNavigate();
  const follow = (event: MouseEvent<HTMLDivElement>) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const plain =
      event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !plain || link.origin !== location.origin || link.pathname === location.pathname)
      return;
    event.preventDefault();
    navigate(ownPath(link));
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link that is followed by the keyboard sends a click too
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is clicked
    // biome-ignore lint/security/noDangerouslySetInnerHtml: made through an allow-list in markdown.server.ts
    <div className="prose" onClick={follow} dangerouslySetInnerHTML={{ __html: html }} />
  );
}

import { hashSource } from "../http/csp.server.ts";
import { type Palette, paint } from "../look/palette.ts";
import { escapeHtml } from "../text/html.ts";

const styles = `
:root { color-scheme: light dark; font: 16px/1.45 system-ui, sans-serif; }
body { margin: 0; padding: 1rem; background: --city(paper); color: --city(ink); }
h1 { margin: 0 0 .75rem; padding-top: .5rem; border-top: 4px solid --city(highlight); font: 600 1.35rem/1.2 Georgia, serif; }
h2 { margin: 1.1rem 0 .3rem; font-size: .9rem; color: --city(signal); }
ul { margin: 0; padding: 0; list-style: none; }
li { padding: .5rem 0; border-top: 1px solid --city(line); }
a { color: --city(accent); font-weight: 600; text-underline-offset: .2em; }
p { margin: .2rem 0 0; font-size: .9rem; color: --city(inkSoft); }
`;

/** A link of a widget. It opens a tab of its own, because the frame is small. */
export const widgetLink = (url: string, text: string): string =>
  `<a href="${escapeHtml(url)}" target="_blank" rel="noopener">${escapeHtml(text)}</a>`;

/**
 * Responds with a widget, a page that other sites can show in a frame. It has no scripts, loads
 * nothing else and stores nothing. `content` is HTML.
 */
export function widgetResponse(
  { title, heading, content }: { title: string; heading: string; content: string },
  colors: Palette,
): Response {
  const style = paint(styles, colors);
  const policy = [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors *",
  ].join("; ");
  const markup = `<!doctype html>
<html lang="en-US">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title>
<style>${style}</style></head>
<body><main><h1>${escapeHtml(heading)}</h1>${content}</main></body>
</html>
`;
  return new Response(markup, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  });
}

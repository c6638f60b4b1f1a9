import { createHash } from "node:crypto";
import { escapeHtml } from "../../../lib/text/html.ts";
import type { Headline } from "../model.ts";

const style = `
:root { color-scheme: light dark; font: 16px/1.45 system-ui, sans-serif; }
body { margin: 0; padding: 1rem; background: light-dark(#fbf8f1, #0d1826); color: light-dark(#15212f, #f0eadd); }
h1 { margin: 0 0 .75rem; font: 600 1.25rem/1.2 Georgia, serif; border-top: 4px solid #e9b13c; padding-top: .5rem; }
ul { margin: 0; padding: 0; list-style: none; }
li { padding: .6rem 0; border-top: 1px solid light-dark(#ddd3bf, #2b3e55); }
a { color: inherit; font-weight: 600; text-decoration-thickness: 1px; text-underline-offset: .2em; }
p { margin: .2rem 0 0; font-size: .875rem; color: light-dark(#4a5664, #b4bfca); }
`;
const styleHash = `'sha256-${createHash("sha256").update(style).digest("base64")}'`;

export const maxWidgetItems = 20;

/**
 * Renders a section's headlines as a page that other sites can show in a frame. The page has no
 * scripts, loads nothing else and stores nothing.
 */
export function renderWidget(
  { title, page, headlines }: { title: string; page: string; headlines: Headline[] },
  site: { name: string; origin: string },
  limit: number,
): Response {
  const items = headlines
    .slice(0, limit)
    .map(
      ({ title: headline, link, source, time }) =>
        `<li><a href="${escapeHtml(new URL(link, site.origin).href)}" target="_blank" rel="noopener">${escapeHtml(headline)}</a><p>${escapeHtml(source)} · <time datetime="${time.iso}">${escapeHtml(time.shown)}</time></p></li>`,
    );
  const list =
    items.length > 0 ? `<ul>${items.join("")}</ul>` : "<p>No headlines have arrived yet.</p>";
  const heading = escapeHtml(`${title} | ${site.name}`);
  const markup = `<!doctype html>
<html lang="en-US">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${heading}</title>
<style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${list}
<p>From <a href="${escapeHtml(site.origin + page)}" target="_blank" rel="noopener">${escapeHtml(site.name)}</a></p></main></body>
</html>
`;
  return new Response(markup, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Content-Security-Policy": `default-src 'none'; style-src ${styleHash}; base-uri 'none'; form-action 'none'; frame-ancestors *`,
    },
  });
}

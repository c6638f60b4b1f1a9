import { createHash } from "node:crypto";
import { escapeHtml } from "../../lib/text/html.ts";
import type { Ads } from "./files.server.ts";

/**
 * Runs inside the frame: puts the ad's script in, and tells the page when something is to be seen.
 * The address and the slot stand in the markup, so that this text, and with it its hash, is the
 * same for all.
 */
const bootstrap = `
const place = document.getElementById("ad");
const tell = (state) => parent.postMessage("harborline-ad:" + state, location.origin);
const look = () => {
  if (![...document.body.querySelectorAll("*")].some((element) => element.offsetHeight > 1)) return;
  watcher.disconnect();
  tell("filled");
};
const watcher = new MutationObserver(look);
watcher.observe(document.body, { subtree: true, childList: true, attributes: true });
addEventListener("load", look, { capture: true });
const script = document.createElement("script");
script.src = place.dataset.script;
script.async = true;
script.onerror = () => tell("empty");
document.head.append(script);
`;
const hash = `'sha256-${createHash("sha256").update(bootstrap).digest("base64")}'`;

/**
 * The document an ad lives in: no origin, no way to the page around it, and only the hosts that the
 * city allows.
 */
export function adFrameResponse(loader: NonNullable<Ads["loader"]>, slot: string): Response {
  const hosts = loader.hosts.join(" ");
  const policy = [
    "sandbox allow-scripts allow-popups",
    "default-src 'none'",
    `script-src ${hash} ${hosts}`,
    "style-src 'unsafe-inline'",
    ...["img-src", "frame-src", "connect-src", "media-src", "font-src"].map(
      (kind) => `${kind} ${hosts} data:`,
    ),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
  const script = loader.script.replaceAll("{slot}", encodeURIComponent(slot));
  const markup = `<!doctype html>
<html lang="en-US">
<head><meta charset="utf-8"><title>Advertisement</title>
<style>html, body { height: 100%; margin: 0; overflow: hidden; }</style></head>
<body><div id="ad" data-ad-slot="${slot}" data-script="${escapeHtml(script)}"></div><script>${bootstrap}</script></body>
</html>
`;
  return new Response(markup, {
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy },
  });
}

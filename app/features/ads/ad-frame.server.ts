import { hashSource } from "../../lib/http/csp.server.ts";
import { escapeHtml } from "../../lib/text/html.ts";
import type { Ads } from "./files.server.ts";

/**
 * This script runs inside the frame. It loads the ad's script, and sends a message to the page when
 * the ad becomes visible or cannot be loaded. It reads the URL of the ad's script from the markup,
 * so that its own source, and therefore its hash, is the same for every slot.
 */
const frameScript = `
const adContainer = document.getElementById("ad");
const reportState = (state) => parent.postMessage("harborline-ad:" + state, location.origin);
const checkVisible = () => {
  if (![...document.body.querySelectorAll("*")].some((element) => element.offsetHeight > 1)) return;
  watcher.disconnect();
  reportState("filled");
};
const watcher = new MutationObserver(checkVisible);
watcher.observe(document.body, { subtree: true, childList: true, attributes: true });
addEventListener("load", checkVisible, { capture: true });
const script = document.createElement("script");
script.src = adContainer.dataset.script;
script.async = true;
script.onerror = () => reportState("empty");
document.head.append(script);
`;

/**
 * The document that contains an ad. It has an opaque origin, cannot access the page around it, and
 * may contact only the hosts that the city allows.
 */
export function adFrameResponse(loader: NonNullable<Ads["loader"]>, slot: string): Response {
  const hosts = loader.hosts.join(" ");
  const policy = [
    "sandbox allow-scripts allow-popups",
    "default-src 'none'",
    `script-src ${hashSource(frameScript)} ${hosts}`,
    "style-src 'unsafe-inline'",
    ...["img-src", "frame-src", "connect-src", "media-src", "font-src"].map(
      (kind) => `${kind} ${hosts} data:`,
    ),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
  const scriptUrl = loader.script.replaceAll("{slot}", encodeURIComponent(slot));
  const markup = `<!doctype html>
<html lang="en-US">
<head><meta charset="utf-8"><title>Advertisement</title>
<style>html, body { height: 100%; margin: 0; overflow: hidden; }</style></head>
<body><div id="ad" data-ad-slot="${slot}" data-script="${escapeHtml(scriptUrl)}"></div><script>${frameScript}</script></body>
</html>
`;
  return new Response(markup, {
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy },
  });
}

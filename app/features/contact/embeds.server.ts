import { escapeHtml } from "../../lib/text/html.ts";
import { type EmbedContent, playerSandbox } from "../embeds/model.ts";
import type { ContactPageTexts } from "./files.server.ts";

const formSandbox = "allow-scripts allow-forms allow-popups";
const externalFormPath = "/embed/contact-form";

/** The map of the office area, which OpenStreetMap serves when the reader loads it. */
export function mapEmbed(
  { title, box, marker, poster }: ContactPageTexts["map"],
  eager: boolean,
): EmbedContent {
  const { latitude, longitude } = marker;
  const view = new URLSearchParams({
    bbox: box.join(","),
    layer: "mapnik",
    marker: `${latitude},${longitude}`,
  });
  return {
    title,
    poster,
    eager,
    service: { key: "openstreetmap", name: "OpenStreetMap" },
    src: `https://www.openstreetmap.org/export/embed.html?${view}`,
    noun: "the map",
    link: {
      label: "Open in OpenStreetMap",
      url: `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`,
    },
    sandbox: playerSandbox,
    allow: "",
  };
}

/** Another company's form, which replaces ours; null if the city uses ours. */
export function externalForm(
  { outside: external, form, map }: ContactPageTexts,
  eager: boolean,
): EmbedContent | null {
  if (!external) return null;
  return {
    service: external.service,
    // If the form needs a script, we serve a document that isolates both from our page.
    src: external.script ? externalFormPath : external.url,
    contentUrl: external.url,
    title: form.heading,
    noun: "the form",
    link: { label: `Open the form at ${external.service.name}`, url: external.url },
    poster: { ...map.poster, alt: "" },
    eager,
    sandbox: external.script ? formSandbox : `${formSandbox} allow-same-origin`,
    allow: "",
  };
}

/**
 * The document that contains another company's form and its script. It is sandboxed without an
 * origin, so the script cannot access our page.
 */
export function externalFormResponse({ url, script }: { url: string; script: string }): Response {
  const policy = [
    `sandbox ${formSandbox}`,
    "default-src 'none'",
    `frame-src ${new URL(url).origin}`,
    `script-src ${new URL(script).origin}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
  const markup = `<!doctype html>
<html lang="en-US">
<head><meta charset="utf-8"><title>Form</title>
<style>html, body, iframe { width: 100%; height: 100%; margin: 0; border: 0; }</style></head>
<body><iframe src="${escapeHtml(url)}" title="Form"></iframe><script src="${escapeHtml(script)}" async></script></body>
</html>
`;
  return new Response(markup, {
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy },
  });
}

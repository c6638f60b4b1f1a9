import { createHash } from "node:crypto";
import { displayScript } from "../device/display-script.ts";

const fixedDirectives = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
];

const hashSource = (script: string) =>
  `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

const displayScriptHash = hashSource(displayScript);

const inlineScript = /<script([^>]*)>([\s\S]*?)<\/script>/g;

/**
 * Returns the page and its Content-Security-Policy. `mark` is the nonce of our own inline scripts
 * in `markup`. The policy allows these scripts by their hashes instead, and the nonce is removed,
 * so that the page is the same for every reader and can be cached. `frames` lists the origins that
 * the page may embed.
 */
export function contentSecurityPolicy(
  markup: string,
  mark: string,
  frames: string[] = [],
): { html: string; policy: string } {
  const nonce = ` nonce="${mark}"`;
  const hashes = new Set([displayScriptHash]);
  for (const [, attributes = "", content = ""] of markup.matchAll(inlineScript)) {
    if (!attributes.includes(nonce) || content === "") continue;
    hashes.add(hashSource(content));
  }
  return {
    html: markup.replaceAll(nonce, ""),
    policy: [
      ...fixedDirectives,
      `frame-src ${["'self'", ...frames].join(" ")}`,
      `script-src ${["'self'", ...hashes].join(" ")}`,
    ].join("; "),
  };
}

import { createHash } from "node:crypto";

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

/** Returns the source that allows an inline script or style. */
export const hashSource = (content: string) =>
  `'sha256-${createHash("sha256").update(content).digest("base64")}'`;

const inlineScript = /<script([^>]*)>([\s\S]*?)<\/script>/g;

/**
 * Returns the page and its Content-Security-Policy. Our own inline scripts in `markup` have the
 * nonce. The policy allows these scripts by their hashes instead, and the nonce is removed, so that
 * the page is the same for every reader and can be cached. `frames` lists the origins that the page
 * may embed, `scripts` the sources of other scripts.
 */
export function replaceNonceWithHashes(
  markup: string,
  nonce: string,
  { frames, scripts }: { frames: string[]; scripts: string[] },
): { html: string; policy: string } {
  const nonceAttribute = ` nonce="${nonce}"`;
  const hashes = new Set(scripts);
  for (const [, attributes = "", content = ""] of markup.matchAll(inlineScript)) {
    if (!attributes.includes(nonceAttribute) || content === "") continue;
    hashes.add(hashSource(content));
  }
  return {
    html: markup.replaceAll(nonceAttribute, ""),
    policy: [
      ...fixedDirectives,
      `frame-src ${["'self'", ...frames].join(" ")}`,
      `script-src ${["'self'", ...hashes].join(" ")}`,
    ].join("; "),
  };
}

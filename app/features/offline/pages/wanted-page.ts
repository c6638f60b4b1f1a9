import { isOwnPath } from "../../../lib/links/own-path.ts";

/** The page that a reader without a connection wanted to open. */
export type WantedPage = {
  path: string;
  message: string;
  /** What the reader searched for. */
  words: string;
};

const reasons: [RegExp, string][] = [
  [/^\/radio\b/, "The radio is live, so it needs a connection."],
  [/^\/search\b/, "The search needs a connection. Below you can search the stored titles."],
  [/^\/(?:contact|newsletter)\b|\/submit\b/, "This form needs a connection."],
];

/** Reads the parameter of the offline page. Only paths of this site are accepted. */
export function toWantedPage(path: string | null): WantedPage | null {
  if (path === null || !isOwnPath(path)) return null;
  const [, reason] = reasons.find(([pattern]) => pattern.test(path)) ?? [];
  const query = path.startsWith("/search?") ? path.slice(path.indexOf("?")) : "";
  return {
    path,
    message: reason ?? "This page is not stored on your device, so it needs a connection.",
    words: new URLSearchParams(query).get("q") ?? "",
  };
}

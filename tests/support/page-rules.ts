import { expect } from "vitest";
import { findElement, readText, readTexts } from "./html.ts";

// What is true of every page of every city.

/** Expects a page with one heading and a text, before any script runs. */
export function expectReadablePage(html: string, path: string): void {
  const main = findElement(html, "main");
  expect(readTexts(main, "h1"), path).toEqual([expect.stringMatching(/\S/)]);
  expect(readText(main).length, path).toBeGreaterThan(100);
}

export const isLightPage = (html: string) => html.includes("Low-data edition: no images");

/** Expects a page of the low-data edition that makes the browser fetch nothing else. */
export function expectLightPage(html: string, headers: Headers, path: string): void {
  expect(isLightPage(html), path).toBe(true);
  expect(html).not.toMatch(/<(?:script|img|picture|source|video|audio|iframe|svg|object|embed)\b/);
  expect(html).not.toMatch(/rel="(?:preload|modulepreload|stylesheet|manifest)"|@import|url\(/);
  expect(html).not.toMatch(/ style="| on\w+="|popover/);
  expect(headers.get("content-security-policy")).toContain("script-src 'none'");
  expect(headers.get("vary")).toBe("Accept-Encoding, Save-Data");
  expect(html).toMatch(/<a href="\?[^"]*edition=full">Full edition<\/a>/);
  expect(html).toMatch(/<title>[^<]+<\/title>/);
  expect(html).toMatch(/<h1\b[^>]*>(?:<[^>]*>)*[^<]+/);
}

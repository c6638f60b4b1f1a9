import { describe, expect, it } from "vitest";
import { findCopyKeys, hasFormToken, mayStorePath, mayStoreResponse, toCopyKey } from "./policy.ts";

const publicPage = {
  status: 200,
  type: "basic" as const,
  redirected: false,
  headers: new Headers({
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "public, max-age=0, s-maxage=60",
  }),
};
function withHeader(name: string, value: string) {
  const headers = new Headers(publicPage.headers);
  headers.set(name, value);
  return { ...publicPage, headers };
}

describe("what may be stored on a device", () => {
  it.each(["/", "/news/marble-steps", "/events", "/blog/poes-two-graves", "/brief/2026-11-15"])(
    "%s may be stored",
    (path) => expect(mayStorePath(path)).toBe(true),
  );

  it.each([
    "/radio",
    "/api/stream",
    "/api/live/storm",
    "/search",
    "/contact",
    "/contact/form",
    "/desk",
    "/desk/waiting",
    "/newsletter/confirm",
    "/events/submit",
    "/community/submit",
    "/preview/story/1-2-3",
    "/embed/contact-form",
    "/functions/v1/get_details",
    "/news/marble-steps.data",
    "/_.data",
    "/events.ics",
    "/feeds/news.xml",
  ])("%s is never stored", (path) => expect(mayStorePath(path)).toBe(false));

  it("the server has to allow it", () => {
    expect(mayStoreResponse(publicPage)).toBe(true);
    const refused = [
      withHeader("Cache-Control", "no-store"),
      withHeader("Cache-Control", "public, no-store"),
      withHeader("Cache-Control", "private"),
      withHeader("Cache-Control", ""),
      withHeader("Content-Type", "application/json"),
      { ...publicPage, status: 404 },
      { ...publicPage, redirected: true },
      { ...publicPage, type: "opaque" as const },
    ];
    expect(refused.filter(mayStoreResponse)).toEqual([]);
  });

  it("a page with a form token is recognized by its content too", () => {
    expect(hasFormToken('<input type="hidden" name="token" value="x"/>')).toBe(true);
    expect(hasFormToken('<form method="post" action="/newsletter">')).toBe(false);
  });
});

describe("the key of a copy", () => {
  const key = (path: string, isLight = false) => toCopyKey(new URL(path, "http://x"), isLight);

  it("has only the parameters that change the page", () => {
    expect(key("/events?utm_source=mail&month=2026-12&empty=")).toBe("/events?month=2026-12");
    expect(key("/?edition=full&fbclid=1")).toBe("/");
    expect(key("/news/marble-steps?igsh=abc&ref=mail"), "a shared link").toBe("/news/marble-steps");
    expect(key(`/news/${"a".repeat(600)}`)).toBeNull();
  });

  it("separates the editions, although both can have the same URL", () => {
    expect(key("/news", true)).toBe("/news?edition=light");
    const keys = (path: string, savesData: boolean) =>
      findCopyKeys(new URL(path, "http://x"), savesData);
    expect(keys("/news", false)).toEqual(["/news", "/news?edition=light"]);
    expect(keys("/news", true)).toEqual(["/news?edition=light", "/news"]);
    expect(keys("/news?edition=full", true)).toEqual(["/news", "/news?edition=light"]);
    expect(keys("/news?edition=light", false)).toEqual(["/news?edition=light", "/news"]);
  });
});

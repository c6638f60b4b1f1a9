import { describe, expect, it } from "vitest";
import { formatInstant } from "../format-instant.ts";
import { describeCopy, findImages, findTitle, hasScripts, insertNotice } from "./markup.ts";

describe("the notice on a stored page", () => {
  const sentAt = Date.parse("2026-11-15T10:02:00-05:00");
  const zone = "America/New_York";

  it("says from when the page is, in the city's time", () => {
    const text = describeCopy(sentAt, zone, false);
    expect(text).toMatch(/^You are offline\. This is the page as of 10:02 AM/);
    expect(text).toMatch(/November 15, 2026\.$/);
    const slow = describeCopy(sentAt, zone, true);
    expect(slow).toMatch(/^We could not reach the site\./);
  });

  it("names the zone to a reader whose clock shows another time", () => {
    const otherZone = Intl.DateTimeFormat().resolvedOptions().timeZone === zone ? "UTC" : zone;
    expect(formatInstant(sentAt, otherZone)).toMatch(/ [A-Z]{3}, November 15, 2026$/);
    const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(formatInstant(sentAt, ownZone)).toMatch(/ [AP]M, November 15, 2026$/);
  });

  it("is the first thing in the body", () => {
    expect(insertNotice('<html><body class="x"><main>', "Text.")).toBe(
      '<html><body class="x"><aside class="stored-copy no-print" aria-label="Stored copy">' +
        '<p class="page">Text.</p></aside><main>',
    );
  });

  it("says in each alert of the copy, which the reader may have dismissed, that it may be out of date", () => {
    const note = "May be out of date. ";
    const alerts = (times: string) =>
      `<div id="alerts"><aside>${`<p>Water is off <small class="alert-time">${times}</small></p>`.repeat(2)}</aside></div>`;
    const notice = insertNotice(`<body>${alerts("Until 9 PM")}`, "Text.");
    expect(notice).toContain(alerts(`${note}Until 9 PM`));
    expect(insertNotice('<body><div id="alerts"></div>', "Text.")).not.toContain(note);
  });
});

describe("what the worker reads in a page", () => {
  it("finds the title without the name of the site", () => {
    const html = "<head><title>Crabs &amp; Beer | Harborline Baltimore</title></head>";
    expect(findTitle(html, "Harborline Baltimore")).toBe("Crabs & Beer");
    expect(findTitle("<p>No title</p>", "Harborline")).toBe("");
  });

  it("finds the build of the scripts, which the low-data edition does not have", () => {
    const script = '<script type="module" async="">import "/assets/manifest-727f889e.js";</script>';
    expect(hasScripts(script)).toBe(true);
    const headline = "<h3>How to import &quot;/assets/manifest-evil0000.js&quot;</h3>";
    expect(hasScripts(headline)).toBe(false);
    expect(hasScripts(`<p>import "/assets/manifest-evil0000.js"</p>`)).toBe(false);
    expect(hasScripts("<main>No scripts</main>")).toBe(false);
  });

  it("finds our own images, and of a photo the smallest format", () => {
    const html =
      '<img alt="A" src="/art/mark.svg?v=1"/><img src="/art/mark.svg?v=1"/>' +
      '<img src="/photos/news/pier.jpg/960.jpg?v=2" srcset="…"/><img src="https://x.example/a.png"/>';
    expect(findImages(html, 10)).toEqual([
      "/art/mark.svg?v=1",
      "/photos/news/pier.jpg/960.avif?v=2",
    ]);
    expect(findImages(html, 1)).toHaveLength(1);
  });
});

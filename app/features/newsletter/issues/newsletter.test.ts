import { describe, expect, it } from "vitest";
import { testLook } from "../../../../tests/support/look.ts";
import {
  addressIssue,
  formatIssue,
  type IssueDraft,
  unsubscribePlaceholder,
} from "./format.server.ts";
import { toListId } from "./issue.server.ts";
import { findDueIssue } from "./send.server.ts";

const zone = "America/New_York";
const friday = { weekday: "friday", time: "07:00" };
const findDueId = (instant: string, schedule = friday) =>
  findDueIssue(schedule, new Date(instant), zone)?.id ?? null;

describe("an issue", () => {
  it("is due once a week in the city's time zone, in summer and in winter", () => {
    expect(findDueId("2026-11-20T11:59:00Z")).toBeNull();
    expect(findDueId("2026-11-20T12:00:00Z")).toBe("2026-11-20");
    expect(findDueId("2026-07-17T10:59:00Z")).toBeNull();
    expect(findDueId("2026-07-17T11:00:00Z")).toBe("2026-07-17");
    for (const day of ["15", "16", "17", "18", "19", "21"])
      expect(findDueId(`2026-11-${day}T13:00:00Z`)).toBeNull();
  });

  it("stays due for twelve hours, even after midnight", () => {
    expect(findDueId("2026-11-20T23:59:00Z")).toBe("2026-11-20");
    expect(findDueId("2026-11-21T00:00:00Z")).toBeNull();
    expect(findDueId("2026-11-21T06:00:00Z", { weekday: "friday", time: "22:00" })).toBe(
      "2026-11-20",
    );
  });

  it("is due even on the night when the clocks skip its time", () => {
    const night = { weekday: "sunday", time: "02:30" };
    expect(findDueId("2026-03-08T06:00:00Z", night)).toBeNull();
    expect(findDueId("2026-03-08T08:00:00Z", night)).toBe("2026-03-08");
  });
});

describe("the email with an issue", () => {
  const draft: IssueDraft = {
    day: "2026-11-20",
    subject: "The week",
    greeting: "Hello.",
    brand: {
      shortName: "Paper & Co",
      city: "Baltimore",
      origin: "https://x.example",
      colors: testLook.colors,
    },
    sections: [
      {
        heading: "Headlines",
        items: [
          {
            title: 'Crabs & <b>"oysters"</b>',
            link: 'https://x.example/?a=1&b="',
            line: "The Paper",
          },
        ],
        more: { label: "All", link: "https://x.example/" },
      },
      { heading: "Nothing new", items: [], more: { label: "All", link: "https://x.example/" } },
    ],
    imprint: { name: "The Paper", street: "1 Wharf", city: "Baltimore" },
  };

  it("escapes markup in other newsrooms' headlines, and has no empty sections", () => {
    const { subject, text, html } = formatIssue(draft) ?? expect.unreachable();
    expect(subject).toBe("The week, November 20, 2026");
    expect(html).toContain("Crabs &amp; &lt;b&gt;&quot;oysters&quot;&lt;/b&gt;");
    expect(html).toContain('href="https://x.example/?a=1&amp;b=&quot;"');
    expect(html).toMatch(/<a [^>]*href="https:\/\/x\.example"[^>]*><b>Paper &amp; Co<\/b>/);
    expect(text).toContain('* Crabs & <b>"oysters"</b>\n  The Paper\n  https://x.example/?a=1&b="');
    for (const body of [text, html]) {
      expect(body).not.toContain("Nothing new");
      expect(body).toContain("1 Wharf");
    }
  });

  it("does not exist if every section is empty", () => {
    const empty = draft.sections.map((section) => ({ ...section, items: [] }));
    expect(formatIssue({ ...draft, sections: empty })).toBeNull();
  });

  it("has a List-Id that is the same for all issues", () => {
    const origin = "https://baltimore.example.com";
    expect(toListId("The Harborline newsletter", origin)).toBe(
      "The Harborline newsletter <newsletter.baltimore.example.com>",
    );
    expect(toListId('Crabs, "oysters" <b@x.example>', origin)).toBe(
      "Crabs oysters bxexample <newsletter.baltimore.example.com>",
    );
  });

  it("has a separate unsubscribe link for each subscriber", () => {
    const { text, html } = addressIssue(formatIssue(draft) ?? expect.unreachable(), {
      link: "https://x.example/end?token=a&b",
      greeting: "Good morning",
    });
    expect(text).toContain("https://x.example/end?token=a&b");
    expect(html).toContain('href="https://x.example/end?token=a&amp;b"');
    expect(text + html).not.toContain(unsubscribePlaceholder);
  });
});

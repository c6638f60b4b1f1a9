import { describe, expect, it } from "vitest";
import {
  formatIssue,
  type IssueDraft,
  unsubscribePlaceholder,
  withUnsubscribeLink,
} from "./format.server.ts";
import { toListId } from "./issue.server.ts";
import { findDueIssue } from "./schedule.ts";

const zone = "America/New_York";
const friday = { weekday: "friday", time: "07:00" };
const due = (instant: string, schedule = friday) =>
  findDueIssue(schedule, new Date(instant), zone)?.id ?? null;

describe("the letter's time", () => {
  it("comes once a week by the city's clocks, in summer and in winter", () => {
    expect(due("2026-11-20T11:59:00Z")).toBeNull();
    expect(due("2026-11-20T12:00:00Z")).toBe("2026-11-20");
    expect(due("2026-07-17T10:59:00Z")).toBeNull();
    expect(due("2026-07-17T11:00:00Z")).toBe("2026-07-17");
    for (const day of ["15", "16", "17", "18", "19", "21"])
      expect(due(`2026-11-${day}T13:00:00Z`)).toBeNull();
  });

  it("is still kept up to twelve hours late, also past midnight, and then let go", () => {
    expect(due("2026-11-20T23:59:00Z")).toBe("2026-11-20");
    expect(due("2026-11-21T00:00:00Z")).toBeNull();
    expect(due("2026-11-21T06:00:00Z", { weekday: "friday", time: "22:00" })).toBe("2026-11-20");
  });

  it("comes also on the night when the clocks skip it", () => {
    const night = { weekday: "sunday", time: "02:30" };
    expect(due("2026-03-08T06:00:00Z", night)).toBeNull();
    expect(due("2026-03-08T08:00:00Z", night)).toBe("2026-03-08");
  });
});

describe("the letter's words", () => {
  const digest: IssueDraft = {
    day: "2026-11-20",
    subject: "The week",
    heading: "The letter",
    greeting: "Good morning.",
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
    imprint: {
      name: "The Paper",
      street: "1 Wharf",
      city: "Baltimore",
      privacy: "https://x.example/privacy",
    },
  };

  it("stay words, whatever another newsroom has written, and leave out what is empty", () => {
    const { subject, text, html } = formatIssue(digest) ?? expect.unreachable();
    expect(subject).toBe("The week, November 20, 2026");
    expect(html).toContain("Crabs &amp; &lt;b&gt;&quot;oysters&quot;&lt;/b&gt;");
    expect(html).toContain('href="https://x.example/?a=1&amp;b=&quot;"');
    expect(text).toContain('* Crabs & <b>"oysters"</b>\n  The Paper\n  https://x.example/?a=1&b="');
    for (const words of [text, html]) {
      expect(words).not.toContain("Nothing new");
      expect(words).toContain("1 Wharf");
    }
  });

  it("are not written at all when every section is empty", () => {
    const empty = digest.sections.map((section) => ({ ...section, items: [] }));
    expect(formatIssue({ ...digest, sections: empty })).toBeNull();
  });

  it("come from a list that mail programs know by one name", () => {
    const origin = "https://baltimore.example.com";
    expect(toListId("The Harborline letter", origin)).toBe(
      "The Harborline letter <newsletter.baltimore.example.com>",
    );
    expect(toListId('Crabs, "oysters" <b@x.example>', origin)).toBe(
      "Crabs oysters bxexample <newsletter.baltimore.example.com>",
    );
  });

  it("give each reader a way out of their own", () => {
    const { text, html } = withUnsubscribeLink(
      formatIssue(digest) ?? expect.unreachable(),
      "https://x.example/end?token=a&b",
    );
    expect(text).toContain("https://x.example/end?token=a&b");
    expect(html).toContain('href="https://x.example/end?token=a&amp;b"');
    expect(text + html).not.toContain(unsubscribePlaceholder);
  });
});

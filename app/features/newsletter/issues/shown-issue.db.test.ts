import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { openTestDatabase } from "../../../../tests/support/database.ts";
import { readShippedSite } from "../../../../tests/support/shipped-site.ts";
import type { IssueItem } from "../../../platform/newsletter.ts";
import { newsletterIssues } from "../schema.server.ts";
import { storeIssue } from "./issue.server.ts";
import { readShownIssue } from "./shown-issue.server.ts";

const origin = "https://baltimore.harborline.example";
const now = new Date("2026-11-13T15:00:00Z");
const link = `${origin}/events/concert`;

describe("the latest issue on the newsletter's page", () => {
  let database: OpenDatabase;
  const warnings: string[] = [];
  beforeAll(async () => {
    database = await openTestDatabase();
    await storeIssue(database.db, () => now, {
      id: "2026-11-13",
      confirmedBy: now,
      subject: "The week",
      text: "",
      html: "",
      sections: [
        {
          heading: "Events",
          items: [
            { title: "Concert", link, line: "Friday, 7:00 PM · Pier 5" },
            { title: "Concert", link, line: "Correction, November 12, 2026: It is free." },
            { title: "Elsewhere", link: "https://other.example/a", line: "The Example" },
          ],
          more: null,
        },
      ],
    });
    await database.db.update(newsletterIssues).set({ writtenAt: now });
  });
  afterAll(() => database.close());

  const readItems = async (findIssueItem: (path: string) => Promise<IssueItem | null>) => {
    const site = await readShippedSite();
    const log = { warn: (event: string) => warnings.push(event) };
    const services = { db: database.db, site, log, findIssueItem };
    return (await readShownIssue(services as never))?.sections.flatMap(({ items }) => items);
  };
  const elsewhere = { title: "Elsewhere", line: "The Example", to: "https://other.example/a" };

  it("has events at their current times, and corrections as they were sent", async () => {
    const moved = { title: "Big Concert", link, line: "Saturday, 8:00 PM · Pier 6" };
    expect(await readItems(async (path) => (path === "/events/concert" ? moved : null))).toEqual([
      { title: "Big Concert", line: "Saturday, 8:00 PM · Pier 6", to: "/events/concert" },
      {
        title: "Big Concert",
        line: "Correction, November 12, 2026: It is free.",
        to: "/events/concert",
      },
      elsewhere,
    ]);
  });

  it("has no items whose page was removed", async () => {
    expect(await readItems(async () => null)).toEqual([elsewhere]);
  });

  it("has the items as they were sent if their current text cannot be read", async () => {
    const items = await readItems(() => Promise.reject(new Error("unavailable")));
    expect(items?.map(({ title, line }) => ({ title, line })).at(0)).toEqual({
      title: "Concert",
      line: "Friday, 7:00 PM · Pier 5",
    });
    expect(items).toHaveLength(3);
    expect(warnings).toContain("newsletter.item_not_checked");
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as contact from "../app/features/contact/model.ts";
import { deskDisclosures } from "../app/features/desk/files.server.ts";
import * as desk from "../app/features/desk/model.ts";
import { undoMinutes } from "../app/features/desk/waiting/model.ts";
import { quietDays } from "../app/features/donation/model.ts";
import * as events from "../app/features/events/model.ts";
import { unsentRetentionDays } from "../app/features/forms/unsent/retention.ts";
import { sentRetentionDays } from "../app/features/mail/stored-mails.server.ts";
import { pendingRetentionDays } from "../app/features/newsletter/model.ts";
import * as stories from "../app/features/stories/readers/model.ts";
import { tallyRetentionDays } from "../app/features/tally/tally.server.ts";

const paragraphs = readFileSync("sites/baltimore/privacy.md", "utf8").split("\n\n");
const findParagraph = (title: string) =>
  paragraphs.find((text) => text.startsWith(`**${title}.**`)) ?? "";
const findDays = (text: string) =>
  [...text.matchAll(/(\d+) days/g)].map(([, count]) => Number(count)).toSorted((a, b) => a - b);

describe("the privacy page", () => {
  it.each([
    ["Newsletter", [pendingRetentionDays]],
    ["Messages", [contact.rejectedRetentionDays, contact.doneRetentionDays]],
    ["Stories", [stories.rejectedRetentionDays, stories.waitingRetentionDays]],
    ["Events", [events.rejectedRetentionDays, events.waitingRetentionDays]],
    ["Forms that were not sent", [unsentRetentionDays]],
    ["Search terms", [tallyRetentionDays]],
    ["Missing pages", [tallyRetentionDays]],
  ])(
    'promises in its paragraph "%s" the retention that the software enforces',
    (title, expected) => {
      expect(findDays(findParagraph(title))).toEqual(expected);
    },
  );

  it("says for how long a reader who donates is not asked again", () => {
    const text = paragraphs.find((each) => each.startsWith('**"Don\'t ask again."**')) ?? "";
    expect(findDays(text)).toEqual([quietDays]);
  });

  it("says what is stored about editors and what they are sent, only in a city with a desk", () => {
    expect(deskDisclosures(null)).toEqual([]);
    const [aboutReaders, aboutEditors = ""] = deskDisclosures({ editors: [], mail: "each" });
    expect(findDays(aboutEditors)).toEqual([desk.deviceLifetimeDays, unsentRetentionDays]);
    expect(desk.logRetentionDays).toBe(365);
    expect(aboutEditors).toContain("for one year");
    expect(aboutReaders).toContain("is emailed whole to each of our editors");
    expect(aboutReaders).toContain("your name and email address, which stay in that email");
  });

  it("spells out years, weeks and minutes", () => {
    expect(contact.messageRetentionDays).toBe(365);
    expect(findParagraph("Messages")).toContain("one year after it arrived");
    expect(sentRetentionDays).toBe(7);
    expect(findParagraph("Emails to you")).toContain("the time for seven days");
    expect(undoMinutes).toBe(10);
    for (const title of ["Stories", "Events"])
      expect(findParagraph(title)).toContain("for ten more minutes in a record");
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as contact from "../app/features/contact/model.ts";
import * as events from "../app/features/events/model.ts";
import * as community from "../app/features/stories/readers/model.ts";

const paragraphs = readFileSync("sites/baltimore/privacy.md", "utf8").split("\n\n");
const about = (name: string) =>
  paragraphs.find((paragraph) => paragraph.startsWith(`**${name}.**`)) ?? "";
const days = (text: string) =>
  [...text.matchAll(/(\d+) days/g)].map(([, count]) => Number(count)).toSorted();

describe("the privacy page", () => {
  it("promises the lifetimes that the software keeps", () => {
    expect(contact.messageLifetimeDays).toBe(365);
    expect(about("Messages")).toContain("a year after it came");
    expect(days(about("Messages"))).toEqual([contact.doneLifetimeDays]);
    expect(days(about("Stories"))).toEqual([
      community.rejectedLifetimeDays,
      community.waitingLifetimeDays,
    ]);
    expect(days(about("Events"))).toEqual([
      events.rejectedLifetimeDays,
      events.waitingLifetimeDays,
    ]);
  });
});

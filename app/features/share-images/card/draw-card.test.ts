import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { openWorkerPool } from "../../../../server/workers/worker-pool.ts";
import { testLook } from "../../../../tests/support/look.ts";
import { drawCardTask } from "../tasks.server.ts";
import { type CardDrawing, drawCard } from "./draw-card.server.ts";

const card: CardDrawing = {
  brand: { name: "Harborline", accent: "Baltimore" },
  look: testLook,
  label: "Community",
  title: "A Crab Supper in the Alley",
  lines: ["November 15, 2026"],
  mark: null,
  dateTile: null,
  hasImage: true,
};

const readPixels = (svg: string) => sharp(Buffer.from(svg)).raw().toBuffer();

/** The same titles as those that a blog of another city or an imported calendar could contain. */
const hostileTitles = {
  markup: `</svg><script>alert("1")</script><image href="file:///etc/passwd"/>&amp;&lt;]]>`,
  long: "Very long title ".repeat(625),
  "without spaces": "x".repeat(10_000),
  zalgo: Array.from("City Hall", (letter) => letter + "\u0315\u0321\u0338".repeat(300)).join(""),
  "control characters": `\u0000\u0007\u001b]0;title\u0007${"\u0008".repeat(200)}end`,
  "reversed direction": "\u202egnp.egami\u202c \u2067abc\u2069 \u200f\u061c".repeat(300),
  joiners: "\u200d".repeat(5_000),
  emoji: "👩🏽‍🚀🏴󠁧󠁢󠁥󠁮󠁧󠁿".repeat(1_000),
  brackets: "([{".repeat(3_000) + "א".repeat(20),
  "changing directions": "aא1ب".repeat(2_000),
  "half characters": "\ud83e\udd80\ud83e".repeat(2_000),
  "wide signs": "﷽𒐫꧅".repeat(2_000),
  nothing: "",
};

describe("a hostile title", () => {
  const workers = openWorkerPool();
  afterAll(() => workers.close());

  it.each(Object.entries(hostileTitles))("is drawn within the limits: %s", async (_what, title) => {
    const hostile = { ...card, title, label: title, lines: [title, title, title] };
    const outcome = await workers.run(drawCardTask, hostile);
    const svg = outcome.kind === "done" ? outcome.value : "";
    expect(svg.length).toBeLessThan(3_000_000);
    expect(svg).not.toMatch(/script|passwd|<text|<image|href/);
    const { width, height } = await sharp(Buffer.from(svg)).metadata();
    expect({ width, height }).toEqual({ width: 1200, height: 630 });
  });
});

describe("a card", () => {
  it("shows its title, label, lines and mark", async () => {
    const plain = await readPixels(drawCard(card));
    for (const change of [
      { title: "Another title" },
      { label: "Sports" },
      { lines: [] },
      { mark: "Sample" },
      { mark: "Canceled" },
      { brand: { name: "Harborline", accent: "Boston" } },
    ] satisfies Partial<CardDrawing>[])
      expect((await readPixels(drawCard({ ...card, ...change }))).equals(plain)).toBe(false);
  });

  it("leaves the place of its image free", async () => {
    const { data, info } = await sharp(Buffer.from(drawCard(card)))
      .extract({ left: 648, top: 0, width: 552, height: 630 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(4);
    expect(data.every((value) => value === 0)).toBe(true);
  });

  it("without an image shows the harbor and the day of an event", async () => {
    const event = { ...card, hasImage: false };
    const dateTile = { weekday: "Sat", month: "Dec", day: "5" };
    const [harbor, day, otherDay] = await Promise.all([
      readPixels(drawCard(event)),
      readPixels(drawCard({ ...event, dateTile })),
      readPixels(drawCard({ ...event, dateTile: { ...dateTile, day: "6" } })),
    ]);
    expect(harbor.equals(day)).toBe(false);
    expect(day.equals(otherDay)).toBe(false);
  });

  it("shows the name of the site in place of a title that our fonts cannot show", () => {
    const named = drawCard({ ...card, title: "Harborline Baltimore" });
    expect(drawCard({ ...card, title: "巴尔的摩的新闻 2026" })).toBe(named);
    expect(drawCard({ ...card, title: "\u200b" })).toBe(named);
    expect(drawCard({ ...card, title: "Crab 螃蟹" })).not.toBe(named);
  });
});

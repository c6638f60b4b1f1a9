import { beforeEach, describe, expect, it } from "vitest";
import { WorkRefused } from "../../app/lib/external/work-refused.ts";
import type { RunInWorker } from "../../app/platform/worker-task.ts";
import { renderPageText } from "../../app/site-files/page-text.server.ts";
import { endlessText, runUntilTooSlow } from "../../tests/support/worker-pool.ts";
import { createTextParser } from "./text-parser.ts";

/** The tasks that were sent to a worker thread. */
let tasks: string[];
beforeEach(() => {
  tasks = [];
});
const texts = createTextParser(((task, input) => {
  tasks.push(task.name);
  return runUntilTooSlow(task, input);
}) satisfies RunInWorker);

const origin = "https://city.example";
const paragraph = `${"The **harbor** was [quiet](https://a.example/). ".repeat(10)}\n\n`;
const longText = paragraph.repeat(30);

describe("the text of a site file", () => {
  it("is rendered in a worker thread if it is long, with the same result", async () => {
    expect(await texts.renderPageText(longText, origin)).toEqual(renderPageText(longText, origin));
    expect(tasks).toEqual(["page"]);
  });

  it("is rendered in this thread if it is short", async () => {
    expect(await texts.renderPageText("A *word*.", origin)).toEqual({
      ok: true,
      value: { html: "<p>A <em>word</em>.</p>", headings: [], unknownLinks: [] },
    });
    expect(tasks).toEqual([]);
  });

  it("is refused with its line if it contains HTML", async () => {
    expect(await texts.renderPageText(`${longText}<b>x</b>`)).toMatchObject({
      problems: [{ line: 61, message: expect.stringContaining("use Markdown instead") }],
    });
    expect(await texts.checkPostText(`${longText}<b>x</b>\n\n<iframe src=x>`)).toMatchObject({
      problems: [{ line: 63, message: expect.stringContaining("<iframe>") }],
    });
    expect(tasks).toEqual(["page", "post-check"]);
  });

  it("is refused if it takes too long to render", async () => {
    const endless = `Here ${endlessText}.\n\n${longText}`;
    expect(await texts.renderPageText(endless)).toMatchObject({
      problems: [{ line: 1, message: expect.stringContaining("too long or too deeply nested") }],
    });
  });

  it("is refused if it is too deeply nested, also if it is short", async () => {
    const deep = ">".repeat(4_500);
    expect(await texts.renderPageText(deep)).toMatchObject({
      problems: [{ message: expect.stringContaining("too deeply nested") }],
    });
    expect(await texts.checkPostText(`${deep} <script>`)).toHaveProperty("ok");
    expect(tasks).toEqual([]);
  });

  it("is rendered in this thread if the workers accept no more work", async () => {
    const refusing = createTextParser(() => Promise.reject(new WorkRefused("closing")));
    expect(await refusing.renderPageText(longText)).toMatchObject({ ok: true });
  });
});

import { afterAll, describe, expect, it } from "vitest";
import { WorkRefused } from "../../app/lib/external/work-refused.ts";
import { renderPageText } from "../../app/lib/site/page-text.server.ts";
import type { RunInWorker } from "../../app/platform/worker-task.ts";
import { openWorkerPool } from "../workers/worker-pool.ts";
import { createTextReader } from "./text-reader.ts";

const workers = openWorkerPool("tests/fixtures/slow-reader-worker.ts", 5_000);
afterAll(() => workers.close());

const tasks: string[] = [];
const texts = createTextReader(((task, input) => {
  tasks.push(task.name);
  return workers.run(task, input);
}) satisfies RunInWorker);

const origin = "https://city.example";
const paragraph = `${"The **harbor** was [quiet](https://a.example/). ".repeat(10)}\n\n`;
const longText = paragraph.repeat(150);

describe("the text of a site file", { timeout: 60_000 }, () => {
  it("is rendered in a worker thread if it is long, with the same result", async () => {
    expect(longText.length).toBeGreaterThan(64_000);
    expect(await texts.renderPageText(longText, origin)).toEqual(renderPageText(longText, origin));
    expect(tasks.splice(0)).toEqual(["page"]);
  });

  it("is rendered in this thread if it is short", async () => {
    expect(await texts.renderPageText("A *word*.", origin)).toEqual({
      ok: true,
      value: { html: "<p>A <em>word</em>.</p>", headings: [] },
    });
    expect(tasks).toEqual([]);
  });

  it("is refused with its line if it contains HTML", async () => {
    expect(await texts.renderPageText(`${longText}<b>x</b>`)).toMatchObject({
      line: 301,
      message: expect.stringContaining("write **bold** instead"),
    });
    expect(await texts.checkPostText(`${longText}<b>x</b>\n\n<iframe src=x>`)).toMatchObject({
      line: 303,
      message: expect.stringContaining("<iframe>"),
    });
    expect(tasks.splice(0)).toEqual(["page", "post-check"]);
  });

  it("is refused if it takes too long to render", async () => {
    const quickly = openWorkerPool("tests/fixtures/slow-reader-worker.ts", 200);
    const endless = `Here no end is in sight.\n\n${longText}`;
    expect(await createTextReader(quickly.run).renderPageText(endless)).toMatchObject({
      line: 1,
      message: expect.stringContaining("too long or too deeply nested"),
    });
    await quickly.close();
  });

  it("is rendered in this thread if the workers accept no more work", async () => {
    const refusing = createTextReader(() => Promise.reject(new WorkRefused("closing")));
    expect(await refusing.renderPageText(longText)).toMatchObject({ ok: true });
  });
});

// Measures what happens to texts that were written to be expensive: `npm run bench:texts`. A worker
// thread renders each like a post. It must end by its deadline, show the text in any case, and leave
// the thread that serves readers free. The time for settings should grow in proportion to their
// length. The tests cannot check this, because they do not measure time.
import { z } from "zod";
import { renderInWorker } from "../app/features/blog/posts/worker-task.server.ts";
import { siteFile } from "../app/site-files/site-file.server.ts";
import { openWorkerPool } from "../server/workers/worker-pool.ts";
import { hostileMarkdown } from "../tests/fixtures/hostile-markdown.ts";
import { roundToThousandths } from "./support/statistics.ts";

/** As long as the longest file. */
const textLength = 256 * 1024;
const honestText = "## The **start** is [here](/x)\n\n";
const article = `${"The **harbor** was [quiet](https://a.example/), said *somebody* there. ".repeat(8)}\n\n`;

const workers = openWorkerPool();
/** CPU time of this thread in milliseconds. */
const readCpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/**
 * Watches how long this thread works without a break, in CPU time, because on a busy machine a
 * thread may also pause for other reasons.
 */
function watchLongestTurn(): () => number {
  let [lastMs, longestMs] = [readCpuMs(), 0];
  const timer = setInterval(() => {
    const nowMs = readCpuMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  }, 1);
  return () => {
    clearInterval(timer);
    return longestMs;
  };
}

async function measureText(part: string) {
  const text = honestText + part.repeat(textLength / part.length);
  const stopWatching = watchLongestTurn();
  const beganMs = performance.now();
  const rendered = await renderInWorker(workers.run, {
    text,
    origin: "https://city.example",
    imageKey: new Uint8Array(32),
  });
  const tookMs = performance.now() - beganMs;
  const words = rendered?.html.slice(0, 200).replaceAll(/<[^>]{0,200}>/g, "") ?? "";
  return {
    outcome: rendered === null ? "lost" : rendered.isStripped ? "without markup" : "rendered",
    "text is shown": words.startsWith("The start is here"),
    "until then, ms": Math.round(tookMs),
    "longest work of the server's thread, ms": roundToThousandths(stopWatching()),
  };
}

const rows: Record<string, Awaited<ReturnType<typeof measureText>>> = {
  "an ordinary text": await measureText(article),
};
for (const { name, part } of hostileMarkdown) rows[name] = await measureText(part);
await workers.close();
console.table(rows);

/** CPU time of this thread: the minimum of three runs, because the machine may be busy. */
function measureCpuMs(work: () => unknown): number {
  const costs = Array.from({ length: 3 }, () => {
    const before = readCpuMs();
    work();
    return readCpuMs() - before;
  });
  return Math.min(...costs);
}

const settings = siteFile("settings.yaml", z.strictObject({ title: z.string() }));
const createSettings = (count: number) =>
  Array.from({ length: count }, (_, index) => `s${index}: 1\n`).join("");
const settingsMs = [2_000, 8_000].map((count) => {
  const source = createSettings(count);
  return measureCpuMs(() => settings.parse(source));
});
const [fewMs = 0, manyMs = 0] = settingsMs;
console.log(
  `8,000 settings take ${roundToThousandths(manyMs / fewMs)} times as long as 2,000 (linear: 4, quadratic: 16).`,
);

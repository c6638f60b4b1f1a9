// Measures what happens to texts that were written to be expensive: `npm run bench:texts`. A worker
// thread renders each like a post. It must end by its deadline, show the text in any case, and leave
// the thread that serves readers free. The tests cannot check this, because they do not measure time.
import { withoutMarkup } from "../app/features/blog/posts/html.server.ts";
import { postTask } from "../app/features/blog/tasks.server.ts";
import { openWorkerPool } from "../server/workers/worker-pool.ts";
import { hostileMarkdown } from "../tests/fixtures/hostile-markdown.ts";
import { roundToThousandths } from "./support/statistics.ts";

/** The length of the longest text that a file can have. */
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
 * Measures how long this thread works without a break, in CPU time, because on a busy machine a
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
  const outcome = await workers.run(postTask, {
    text,
    origin: "https://city.example",
    imageKey: new Uint8Array(32),
  });
  const html = outcome.kind === "done" ? outcome.value : withoutMarkup(text);
  const tookMs = performance.now() - beganMs;
  const words = html.slice(0, 200).replaceAll(/<[^>]{0,200}>/g, "");
  return {
    outcome: outcome.kind === "done" ? "rendered" : "without markup",
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

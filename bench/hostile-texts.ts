// Measures how long texts take that were written to be expensive: `npm run bench:texts`. A hostile
// text that is still parsed as Markdown should cost no more than a few times an ordinary article,
// and the time for settings should grow in proportion to their length. The tests cannot check this,
// because they do not measure time.
import { z } from "zod";
import { renderUntrusted } from "../app/lib/text/untrusted-markdown.server.ts";
import { siteFile } from "../app/site-files/site-file.server.ts";
import { hostileMarkdown } from "../tests/fixtures/hostile-markdown.ts";
import { roundToThousandths } from "./support/statistics.ts";

const paragraph = `${"The **harbor** was [quiet](https://a.example/), said *somebody* there. ".repeat(8)}\n\n`;
const shortArticle = paragraph.repeat(20);
const longArticle = paragraph.repeat(480);

const render = (source: string) =>
  renderUntrusted(source, { origin: "https://city.example", toImagePath: () => null });

/**
 * CPU time of this thread in milliseconds: the minimum of three runs, because the machine may be
 * busy.
 */
function measureCpuMs(work: () => unknown): number {
  const costs = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...costs);
}

render(shortArticle);
const shortMs = measureCpuMs(() => render(shortArticle));
const longMs = measureCpuMs(() => render(longArticle));
console.log(
  `An article of ${shortArticle.length} characters takes ${roundToThousandths(shortMs)} ms, one of ${longArticle.length} takes ${roundToThousandths(longMs)} ms.`,
);
console.table(
  Object.fromEntries(
    hostileMarkdown.map(({ name, part, maxQuickTimes, maxWorkerTimes }) => {
      const quickMs = measureCpuMs(() => render(part.repeat(maxQuickTimes)));
      const workerMs = measureCpuMs(() => render(part.repeat(maxWorkerTimes)));
      return [
        name,
        {
          "server's thread, ms": roundToThousandths(quickMs),
          "of the short article": roundToThousandths(quickMs / shortMs),
          "worker thread, ms": roundToThousandths(workerMs),
          "of the long article": roundToThousandths(workerMs / longMs),
        },
      ];
    }),
  ),
);

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

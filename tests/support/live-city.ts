import { startCity, type TestCity } from "./city.ts";
import { createRss, startFeedServer } from "./feed-server.ts";
import { runInServer } from "./newsroom.ts";

/** Starts a city and imports eight live headlines from each of its sources. */
export async function startLiveCity(
  env: Record<string, string> = {},
  entry?: Parameters<typeof startCity>[4],
): Promise<TestCity> {
  const papers = await startFeedServer((request, response) => {
    const name = (request.url ?? "").slice(1);
    const entries = Array.from({ length: 8 }, (_, index) => ({
      title: `What Baltimore will remember of this week, number ${index} of ${name}`,
      path: `/${name}/${index}`,
      date: new Date(Date.now() - (index + 1) * 12 * 60_000).toUTCString(),
    }));
    response.end(createRss("paper.example", entries));
  });
  const urls: string[] = [];
  const city = await startCity(
    {
      // Every source is another feed of the test's own server.
      "sections.yaml": (source) =>
        source.replaceAll(/\burl: "?(https:[^\s,}"]+)"?/g, (_, url: string) => {
          if (!urls.includes(url)) urls.push(url);
          return `url: ${papers.url(`/paper${urls.indexOf(url)}`)}`;
        }),
    },
    { ...env, FETCH_ALLOW: papers.host },
    {},
    undefined,
    entry,
  );
  const { code, output } = await runInServer(city.dataDir, ["feeds", "refresh"]);
  if (code !== 0) throw new Error(`The headlines were not imported: ${output}`);
  return {
    ...city,
    async close() {
      await city.close();
      await papers.close();
    },
  };
}

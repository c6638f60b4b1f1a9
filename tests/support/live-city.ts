import { startCity, type TestCity } from "./city.ts";
import { createRss, startFeedServer } from "./feed-server.ts";
import { runInServer } from "./newsroom.ts";

const exampleHeadlines = (section: string, source: number) =>
  Array.from(
    { length: 8 },
    (_, index) =>
      `What Baltimore will remember of this week, number ${index} of ${section}${source}`,
  );

/** Starts a city and imports live headlines from its sources, one every twelve minutes. */
export async function startLiveCity(
  env: Record<string, string> = {},
  entry?: Parameters<typeof startCity>[4],
  listHeadlines: (section: string, source: number) => readonly string[] = exampleHeadlines,
): Promise<TestCity> {
  const now = env.FAKE_NOW ? Date.parse(env.FAKE_NOW) : Date.now();
  const papers = await startFeedServer((request, response) => {
    const [, section = "", source = ""] = (request.url ?? "").split("/");
    const entries = listHeadlines(section, Number(source)).map((title, index) => ({
      title,
      path: `/${section}/${source}/${index}`,
      date: new Date(now - (index + 1) * 12 * 60_000).toUTCString(),
    }));
    response.end(createRss("paper.example", entries));
  });
  const city = await startCity(
    {
      // Every source is another feed of the test's own server.
      "sections.yaml": (source) => {
        const paths = new Map<string, string>();
        let [section, count] = ["", 0];
        return source.replaceAll(
          /^ {2}(\w+):$|\burl: "?(https:[^\s,}"]+)"?/gm,
          (line, nextSection: string | undefined, url: string) => {
            if (nextSection !== undefined) {
              [section, count] = [nextSection, 0];
              return line;
            }
            // The comments before the first section have an example.
            if (section === "") return line;
            if (!paths.has(url)) paths.set(url, `/${section}/${count++}`);
            return `url: ${papers.url(paths.get(url) ?? "")}`;
          },
        );
      },
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

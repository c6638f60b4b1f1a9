import { data } from "react-router";
import { isDatabaseUnavailable } from "../../../db/failures.ts";
import type { PageServices } from "../../platform/services.ts";
import type { TitleItem } from "../../ui/title-list.tsx";
import { readLocalShortList } from "../feeds/listing/blocks.server.ts";
import { readNewestTitles, readStoriesOrSamples } from "../stories/stories.server.ts";

const linkCount = 5;

/** What a route throws if it has no page at this path: the status, and the links for `NotFound`. */
export async function missingPage(services: PageServices, status = 404) {
  return data(await readLinks(services), {
    status,
    statusText: status === 404 ? "Not Found" : "Gone",
  });
}

/** Our newest story and the newest headlines, followed by more stories if there are too few. */
async function readLinks(services: PageServices): Promise<TitleItem[] | null> {
  try {
    const [newest] = await readStoriesOrSamples(services);
    const lead = newest && !newest.isSample ? newest : null;
    const { list } = await readLocalShortList(services, lead);
    const titles = await readNewestTitles(services, linkCount);
    const headlines = list.kind === "headlines" ? list.headlines : [];
    const leadCount = lead ? 1 : 0;
    return [
      ...titles.slice(0, leadCount),
      ...headlines.map(({ link, title, source }) => ({ to: link, title, facts: source })),
      ...titles.slice(leadCount),
    ].slice(0, linkCount);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return null;
  }
}

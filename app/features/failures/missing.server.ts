import { data } from "react-router";
import { isDatabaseUnavailable } from "../../../db/failures.ts";
import type { PageServices } from "../../platform/services.ts";
import type { TitleItem } from "../../ui/title-list.tsx";
import { readLocalHeadlines } from "../feeds/listing/blocks.server.ts";
import { readNewestTitles } from "../stories/stories.server.ts";

const linkCount = 5;

/** `hasMissingPage` tells whether the server has stored the page, which then needs no links. */
type MissingServices = PageServices & { hasMissingPage(): boolean };

/** What a route throws if it has no page at this path: the status, and the links for `NotFound`. */
export async function missingPage(services: MissingServices, status = 404) {
  const links = services.hasMissingPage() ? null : await readLinks(services);
  return data(links, { status, statusText: status === 404 ? "Not Found" : "Gone" });
}

/** The newest headlines, followed by our stories if there are too few. */
async function readLinks(services: PageServices): Promise<TitleItem[] | null> {
  try {
    const { list } = await readLocalHeadlines(services, null);
    const headlines = list.kind === "headlines" ? list.headlines : [];
    return [
      ...headlines.map(({ link, title, source }) => ({ to: link, title, facts: source })),
      ...(await readNewestTitles(services, linkCount)),
    ].slice(0, linkCount);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return null;
  }
}

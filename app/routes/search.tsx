import { appContext } from "../context.ts";
import { brandFile } from "../features/brand/files.server.ts";
import { navigationFile } from "../features/layout/files.server.ts";
import { countedAs, normaliseQuery } from "../features/search/model.ts";
import { SearchPage } from "../features/search/search-page.tsx";
import { pageMeta } from "../features/seo/meta.ts";
import { tally } from "../features/tally/tally.server.ts";
import { errorFields } from "../lib/log.ts";
import type { Route } from "./+types/search.ts";

export const handle = { page: { cache: "none" } };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { site, db, clock, log } = context.get(appContext);
  const query = normaliseQuery(new URL(request.url).searchParams.get("q"));
  if (query !== "") {
    try {
      await tally(db, clock, site.read(brandFile).timeZone, "search", countedAs(query));
    } catch (error) {
      log.warn("search.not_counted", errorFields(error));
    }
  }
  return { query, sections: site.read(navigationFile).main };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const title = loaderData?.query ? `Search: ${loaderData.query}` : "Search";
  const description = "Search the site by its words, or browse it by section.";
  return pageMeta(matches[0].loaderData?.site, { title, description, path: "/search", index: false });
}

export default function SearchRoute({ loaderData }: Route.ComponentProps) {
  return <SearchPage query={loaderData.query} sections={loaderData.sections} />;
}

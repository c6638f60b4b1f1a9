import { appContext } from "../context.ts";
import { briefDayPath, briefFeedPath, briefPath } from "../features/brief/model.ts";
import { readBriefPage } from "../features/brief/page.server.ts";
import { BriefPage } from "../features/brief/pages/brief-page.tsx";
import { missingPage } from "../features/failures/missing.server.ts";
import { isDay } from "../lib/is-day.ts";
import { feedLinks } from "../lib/links/feed-formats.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { breadcrumbData } from "../ui/seo/structured-data.ts";
import type { Route } from "./+types/brief-day.ts";

export async function loader({ context, params: { day } }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const page = isDay(day) ? await readBriefPage(services, day) : null;
  if (!page) throw await missingPage(services);
  return { page };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { site } = root.loaderData;
  const { heading, brief } = loaderData.page;
  const path = briefDayPath(brief.day);
  const title = `${heading}, ${brief.date}`;
  const titles = [...brief.headlines, ...brief.stories].slice(0, 3).map((item) => item.title);
  const description = titles.length > 0 ? titles.join(" · ") : title;
  // A brief of samples is not news, so search engines do not get it.
  return [
    ...pageMeta(site, { title, description, path, index: brief.hasNews }),
    ...(import.meta.env.SSR && brief.hasNews
      ? [breadcrumbData(site, { name: heading, path: briefPath }, { name: brief.date, path })]
      : []),
    ...feedLinks(briefFeedPath, heading),
  ];
}

export default function BriefDayRoute({ loaderData }: Route.ComponentProps) {
  return <BriefPage content={loaderData.page} />;
}

import { appContext } from "../context.ts";
import { briefFile } from "../features/brief/files.server.ts";
import { briefFeedPath, briefPath } from "../features/brief/model.ts";
import { readLatestBriefPage } from "../features/brief/page.server.ts";
import { BriefPage, NoBriefPage } from "../features/brief/pages/brief-page.tsx";
import { feedLinks } from "../lib/links/feed-formats.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { breadcrumbData } from "../ui/seo/structured-data.ts";
import type { Route } from "./+types/brief.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { description } = services.site.read(briefFile);
  return { description, ...(await readLatestBriefPage(services)) };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { site } = root.loaderData;
  const { heading, description } = loaderData;
  return [
    ...pageMeta(site, { title: heading, description, path: briefPath }),
    ...(import.meta.env.SSR ? [breadcrumbData(site, { name: heading, path: briefPath })] : []),
    ...feedLinks(briefFeedPath, heading),
  ];
}

export default function BriefRoute({ loaderData }: Route.ComponentProps) {
  const { heading, intro, notice, page } = loaderData;
  return page ? (
    <BriefPage content={page} />
  ) : (
    <NoBriefPage heading={heading} intro={intro} notice={notice} />
  );
}

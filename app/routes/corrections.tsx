import { appContext } from "../context.ts";
import { postCorrections } from "../features/blog/posts/published.server.ts";
import { storyListsFile } from "../features/stories/files.server.ts";
import { storyCorrections } from "../features/stories/listing/list.server.ts";
import { CorrectionsPage } from "../features/stories/pages/corrections-page.tsx";
import { newestCorrectionFirst } from "../lib/article-dates.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/corrections.ts";

/** Older corrections are only on the pages of their stories and posts. */
const maxCorrections = 500;

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const corrections = [...(await storyCorrections(services)), ...(await postCorrections(services))]
    .sort(newestCorrectionFirst)
    .slice(0, maxCorrections)
    .map(({ at: _at, ...correction }) => correction);
  return { head: services.site.read(storyListsFile).corrections, corrections };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { heading: title, description } = loaderData.head;
  const page = { title, description, path: "/corrections" };
  return pageMeta(root.loaderData.site, page);
}

export default function CorrectionsRoute({ loaderData }: Route.ComponentProps) {
  return <CorrectionsPage head={loaderData.head} corrections={loaderData.corrections} />;
}

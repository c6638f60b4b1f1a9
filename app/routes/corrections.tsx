import { appContext } from "../context.ts";
import { readPostCorrections } from "../features/blog/posts/corrections.server.ts";
import { storyListsFile } from "../features/stories/files.server.ts";
import { readStoryCorrections } from "../features/stories/listing/corrections.server.ts";
import { CorrectionsPage } from "../features/stories/pages/corrections-page.tsx";
import { loaderDataOf } from "../lib/http/loader-data.ts";
import { newestCorrectionFirst } from "../lib/published-corrections.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/corrections.ts";

/** Older corrections are only on the pages of their stories and posts. */
const maxCorrections = 500;

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const corrections = [
    ...(await readStoryCorrections(services)),
    ...(await readPostCorrections(services)),
  ]
    .sort(newestCorrectionFirst)
    .slice(0, maxCorrections)
    .map(({ at: _at, ...correction }) => correction);
  return { head: services.site.read(storyListsFile).corrections, corrections };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { heading: title, description } = loaderData.head;
  const page = { title, description, path: "/corrections" };
  return pageMeta(loaderDataOf(matches, "root")?.site, page);
}

export default function CorrectionsRoute({ loaderData }: Route.ComponentProps) {
  return <CorrectionsPage head={loaderData.head} corrections={loaderData.corrections} />;
}

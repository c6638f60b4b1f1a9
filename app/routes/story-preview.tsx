import { data, redirect } from "react-router";
import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { storyPath } from "../features/stories/model.ts";
import { PreviewNotice, PreviewRefused } from "../features/stories/pages/preview-notice.tsx";
import { StoryPage } from "../features/stories/pages/story-page.tsx";
import { findStoryPreview } from "../features/stories/preview/preview.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/story-preview.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

/** A draft or a scheduled story, for people with a signed link. */
export async function loader({ context, params: { id, token } }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const preview = await findStoryPreview(services, id, token);
  switch (preview.kind) {
    case "shown": {
      const { content: page, note } = preview;
      const findAdRow = page.story.hasAds ? await prepareAdRows(services, "story", page) : null;
      return data({ page, note, ads: findAdRow?.("end") ?? null });
    }
    case "published":
      throw redirect(storyPath(id));
    case "refused":
      return data(null, { status: 403 });
  }
}

export function meta({ matches: [root], loaderData, location }: Route.MetaArgs) {
  const story = loaderData?.page.story;
  return pageMeta(root.loaderData.site, {
    title: story ? `Preview: ${story.title}` : "This preview link does not work",
    description: story?.excerpt ?? "",
    path: location.pathname,
    index: false,
  });
}

export default function StoryPreviewRoute({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <PreviewRefused />;
  const { page, note, ads } = loaderData;
  return (
    <>
      <PreviewNotice note={note} noun="story" />
      <StoryPage content={page} isPreview />
      <AdRow row={ads} />
    </>
  );
}

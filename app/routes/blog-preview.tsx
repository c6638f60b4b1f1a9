import { data, redirect } from "react-router";
import { appContext } from "../context.ts";
import { PostPage } from "../features/blog/pages/post-page.tsx";
import { postPath } from "../features/blog/paths.ts";
import { findPostPreview } from "../features/blog/preview.server.ts";
import { Embed } from "../features/embeds/embed.tsx";
import { youtubeEmbed } from "../features/embeds/model.ts";
import { NewsletterBox } from "../features/newsletter/pages/newsletter-form.tsx";
import { PreviewNotice, PreviewRefused } from "../features/stories/pages/preview-notice.tsx";
import { findYoutubeId } from "../lib/external/youtube.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/blog-preview.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

/** A draft or a scheduled post, for people with a signed link. */
export async function loader({ context, params: { slug, token } }: Route.LoaderArgs) {
  const preview = await findPostPreview(context.get(appContext), slug, token);
  switch (preview.kind) {
    case "shown":
      return data({ post: preview.content, note: preview.note });
    case "published":
      throw redirect(postPath(slug));
    case "refused":
      return data(null, { status: 403 });
  }
}

export function meta({ matches: [root], loaderData, location }: Route.MetaArgs) {
  const post = loaderData?.post;
  return pageMeta(root.loaderData.site, {
    title: post ? `Preview: ${post.metaTitle}` : "This preview link does not work",
    description: post?.metaDescription ?? "",
    path: location.pathname,
    index: false,
  });
}

export default function BlogPreviewRoute({ loaderData, matches }: Route.ComponentProps) {
  const { timeZone, newsletter, video } = matches[3].loaderData;
  if (!loaderData) return <PreviewRefused />;
  const { post, note } = loaderData;
  const videoId = post.youtubeShortsUrl && findYoutubeId(post.youtubeShortsUrl);
  return (
    <>
      <PreviewNotice note={note} noun="post" />
      <PostPage
        post={post}
        timeZone={timeZone}
        video={
          videoId && (
            <Embed
              content={youtubeEmbed(videoId, { title: "The related video", ...video })}
              className="aspect-9/16"
            />
          )
        }
        newsletter={<NewsletterBox texts={newsletter} />}
        url={null}
      />
    </>
  );
}

import { data } from "react-router";
import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { readFullPost, waitForPosts } from "../features/blog/backend/load.server.ts";
import type { FullPost } from "../features/blog/model.ts";
import { PostPage } from "../features/blog/pages/post-page.tsx";
import {
  missingHeading,
  PostFailed,
  PostLoading,
  PostMissing,
} from "../features/blog/pages/post-states.tsx";
import { usePost } from "../features/blog/pages/queries.ts";
import { postPath } from "../features/blog/paths.ts";
import { missingPostStatus } from "../features/blog/posts/published.server.ts";
import { Embed } from "../features/embeds/embed.tsx";
import { youtubeEmbed } from "../features/embeds/model.ts";
import { NewsletterBox } from "../features/newsletter/pages/newsletter-form.tsx";
import { findYoutubeId } from "../lib/external/youtube.ts";
import { artPath } from "../lib/images/art.ts";
import { articleHead, plainHead } from "../ui/seo/article-head.ts";
import { HeadTags } from "../ui/seo/head-tags.tsx";
import type { Route } from "./+types/blog-post.ts";

/** Undefined if the page is sent without the post, null if there is no such post. */
type LoaderData = {
  initialPost: FullPost | null | undefined;
  /** Whether there was one. Browsers do not learn it after a click: their contract lacks it. */
  isGone?: boolean;
};

/**
 * Loads the post for the first page that a reader opens. Later, the browser fetches posts itself.
 */
export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const result = await waitForPosts(services, readFullPost(services, params.slug));
  if (!result) return data<LoaderData>({ initialPost: undefined }, { status: 503 });
  const initialPost = result.value;
  const status = initialPost ? 200 : await missingPostStatus(services, params.slug);
  return data<LoaderData>({ initialPost, isGone: status === 410 }, { status });
}

export function clientLoader(): LoaderData {
  return { initialPost: undefined };
}

export default function BlogPostRoute({ params, loaderData, matches }: Route.ComponentProps) {
  const { slug } = params;
  const { publicKey, timeZone, newsletter, video, ads } = matches[3].loaderData;
  const { site } = matches[0].loaderData;
  const { data: post, error, refetch } = usePost(slug, publicKey, loaderData.initialPost);
  if (!post) {
    const [title, view] = viewWithoutPost(post, loaderData.isGone ?? false, error, refetch);
    return (
      <>
        <HeadTags tags={plainHead(site, title)} />
        {view}
      </>
    );
  }
  const videoId = post.youtubeShortsUrl && findYoutubeId(post.youtubeShortsUrl);
  const player = videoId && (
    <Embed
      content={youtubeEmbed(videoId, { title: "The related video", ...video })}
      className="aspect-9/16"
    />
  );
  const newsletterBox = <NewsletterBox texts={newsletter} />;
  return (
    <>
      <HeadTags tags={articleHead(site, toPostFacts(post))} />
      <PostPage
        key={slug}
        post={post}
        timeZone={timeZone}
        video={player}
        newsletter={newsletterBox}
        url={site.origin + postPath(slug)}
      />
      <AdRow row={ads.post} otherContent={post} />
    </>
  );
}

/** What search engines and social networks learn about a post. */
const toPostFacts = (post: FullPost) => ({
  ...post,
  path: postPath(post.slug),
  published: post.dates?.published.iso ?? post.date,
  modified: post.dates?.modified ?? post.date,
  authors: post.author,
  corrections: post.dates?.corrections ?? [],
  image: post.image ? artPath(post.image.file) : post.picture,
});

function viewWithoutPost(
  post: null | undefined,
  isGone: boolean,
  error: Error | null,
  tryAgain: () => unknown,
): [title: string, view: React.ReactNode] {
  if (post === null) return [missingHeading(isGone), <PostMissing key="missing" isGone={isGone} />];
  if (error)
    return [
      "Error Loading Blog",
      <PostFailed key="failed" message={error.message} onTryAgain={tryAgain} />,
    ];
  return ["Blog", <PostLoading key="loading" />];
}

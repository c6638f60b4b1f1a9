import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { describeDates } from "../../../lib/article-dates.ts";
import { Byline, Corrections, PublishedLine } from "../../../ui/article-notes.tsx";
import { CityImage } from "../../../ui/city-image.tsx";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { ArrowLeftIcon } from "../../../ui/icons.tsx";
import { LeadImage } from "../../../ui/lead-image.tsx";
import { Link } from "../../../ui/link.tsx";
import { Neighbors } from "../../../ui/neighbors.tsx";
import { Prose } from "../../../ui/prose.tsx";
import { ShareTools } from "../../../ui/share/share-tools.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import type { FullPost, ListedPost, PostDates, PostLink } from "../model.ts";
import { listPath, postPath, readListPage } from "../paths.ts";
import { PostImage } from "./post-image.tsx";

type Props = {
  post: FullPost;
  timeZone: string;
  video: ReactNode | null;
  newsletter: ReactNode;
  /**
   * The URL of the post. Null in a preview, which readers can neither save nor share, because its
   * link expires.
   */
  url: string | null;
};

export function PostPage({ post, timeZone, video, newsletter, url }: Props) {
  // Our own server sends the dates. A response with only the contract's fields lacks them.
  const dates = post.dates ?? describeDates(post, timeZone, new Date());
  return (
    <>
      <article className="page pt-8 lg:pt-10">
        <div className="mx-auto max-w-2xl">
          <BackToBlog />
          <header className="mt-6">
            <h1 className="text-4xl md:text-5xl">{post.metaTitle}</h1>
            <p className="mt-4 font-serif text-ink-soft text-xl md:text-2xl md:leading-snug">
              {post.metaDescription}
            </p>
            <PostFacts post={post} dates={dates} url={url} />
          </header>
          {post.image && <LeadImage image={post.image} />}
          <PinterestImage post={post} />
          <div className="mt-8 lg:mt-10">
            {post.html === null ? (
              <div className="prose whitespace-pre-line">{post.blog}</div>
            ) : (
              <Prose html={post.html} />
            )}
          </div>
          {dates && <Corrections items={dates.corrections} />}
          <Keywords short={post.shortTailKeywords} long={post.longTailKeywords} />
          {video && (
            <section aria-labelledby="related-video" className="panel no-print mt-8 p-6">
              <h2 id="related-video" className="text-2xl">
                Related Video
              </h2>
              <div className="mx-auto mt-4 max-w-80">{video}</div>
            </section>
          )}
          <Neighbors
            label="Previous and next post"
            older={post.older && toNeighbor("Previous post", post.older)}
            newer={post.newer && toNeighbor("Next post", post.newer)}
          />
        </div>
      </article>
      <aside aria-label="After this article" className="page no-print mt-14 lg:mt-20">
        <div className="mx-auto max-w-2xl">
          {newsletter}
          <RelatedPosts items={post.related} />
        </div>
      </aside>
    </>
  );
}

const toNeighbor = (label: string, { slug, metaTitle }: PostLink) => ({
  label,
  title: metaTitle,
  to: postPath(slug),
});

/** Leads back to the page of the list from which the reader came. */
export function BackToBlog() {
  const page = readListPage(useLocation().state);
  // The server does not know the page, so the first page is rendered first.
  const [to, setTo] = useState(listPath(1));
  useEffect(() => setTo(listPath(page)), [page]);
  return (
    <Link to={to} className="text-link no-print inline-flex items-center gap-2 py-1 font-semibold">
      <ArrowLeftIcon />
      Back to Blog
    </Link>
  );
}

type FactsProps = { post: FullPost; dates: PostDates | null; url: string | null };

function PostFacts({ post, dates, url }: FactsProps) {
  return (
    <div className="mt-6 max-w-2xl border-line border-y py-2 print:mt-4">
      <p className="flex flex-wrap gap-x-5 gap-y-0.5 py-1 text-ink-soft text-note">
        {post.author.length > 0 && (
          <span className="w-full text-base">
            <Byline authors={post.author.map((name) => ({ name, to: null }))} />
          </span>
        )}
        {dates && <PublishedLine published={dates.published} updated={dates.updated} />}
        {post.domain && <span className="break-all">{post.domain}</span>}
        {post.readingMinutes && <span>{post.readingMinutes} min read</span>}
      </p>
      {url !== null && (
        <ShareTools title={post.metaTitle} url={url} reportPath={postPath(post.slug)}>
          <SaveButton
            item={{ url: postPath(post.slug), title: post.metaTitle, kind: "post" }}
            look="tool"
          />
        </ShareTools>
      )}
    </div>
  );
}

function PinterestImage({ post }: { post: FullPost }) {
  if (!post.pinterestImageLink) return null;
  return (
    <figure className="mt-8">
      {post.picture && (
        <PostImage
          src={post.picture}
          width={1200}
          height={675}
          className="h-auto w-full rounded-sm"
        />
      )}
      <figcaption className="no-print mt-3">
        <ExternalLink href={post.pinterestImageLink} className="button button-plain">
          View on Pinterest
        </ExternalLink>
      </figcaption>
    </figure>
  );
}

function Keywords({ short, long }: { short: string | null; long: string | null }) {
  if (!short && !long) return null;
  return (
    <section aria-labelledby="keywords" className="panel mt-10 p-6">
      <h2 id="keywords" className="text-2xl">
        Keywords
      </h2>
      <dl className="mt-3 space-y-2">
        {short && <KeywordLine label="Short-tail:" keywords={short} />}
        {long && <KeywordLine label="Long-tail:" keywords={long} />}
      </dl>
    </section>
  );
}

function KeywordLine({ label, keywords }: { label: string; keywords: string }) {
  return (
    <div className="gap-x-3 sm:flex">
      <dt className="shrink-0 font-semibold sm:w-24">{label}</dt>
      <dd className="text-ink-soft">{keywords}</dd>
    </div>
  );
}

function RelatedPosts({ items }: { items: ListedPost[] }) {
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="related-posts" className="mt-12">
      <h2 id="related-posts" className="kicker text-2xl md:text-3xl">
        Read next
      </h2>
      <ul className="mt-5 grid gap-5 md:grid-cols-3">
        {items.map(({ slug, metaTitle, picture: pinImage, image }) => (
          <li key={slug} className="card">
            {image && (
              <CityImage
                image={{ ...image, alt: "" }}
                load="later"
                sizes="card"
                className="card-image"
              />
            )}
            {!image && pinImage && (
              <PostImage src={pinImage} width={400} height={225} className="card-image" />
            )}
            <div className="card-body">
              <h3 className="text-lg">
                <Link to={postPath(slug)} className="cover-link">
                  {metaTitle}
                </Link>
              </h3>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

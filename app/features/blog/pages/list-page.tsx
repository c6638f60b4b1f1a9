import { type ReactNode, useEffect, useRef } from "react";
import { useNavigationType } from "react-router";
import { CityImage } from "../../../ui/city-image.tsx";
import { prefersLessMotion } from "../../../ui/hooks/less-motion.ts";
import { Link } from "../../../ui/link.tsx";
import { NewCount, NewMark } from "../../device/visits/new-mark.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import { type ListedPost, type PostList, pageButtons, pageCount, skeletonCount } from "../model.ts";
import { listPageState, listPath, postPath } from "../paths.ts";
import { PostImage } from "./post-image.tsx";

export type ListState =
  | { kind: "loading" }
  | { kind: "failed"; message: string; tryAgain(): void }
  | { kind: "loaded"; list: PostList };

type Props = {
  texts: { heading: string; intro: string };
  page: number;
  state: ListState;
  follow: ReactNode;
};

export function ListPage({ texts, page, state, follow }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useScrollToTop(page, heading);
  return (
    <div className="page relative pt-8 lg:pt-10">
      <NewCount isInCorner />
      <div className="head-row">
        <h1 ref={heading} tabIndex={-1} className="kicker outline-none">
          {texts.heading}
          {page > 1 && <span className="sr-only">, page {page}</span>}
        </h1>
        {follow}
      </div>
      <p className="mt-4 max-w-2xl text-ink-soft text-lg">{texts.intro}</p>
      <div className="mt-8 lg:mt-10">
        {listContent(state, page, () => heading.current?.focus())}
      </div>
    </div>
  );
}

function listContent(state: ListState, page: number, focusHeading: () => void): ReactNode {
  switch (state.kind) {
    case "loading":
      return <Skeletons />;
    case "failed":
      return (
        <Failure
          message={state.message}
          onTryAgain={() => {
            // The button disappears together with the message, so we move the keyboard focus first.
            focusHeading();
            state.tryAgain();
          }}
        />
      );
    case "loaded": {
      const { blogs, total } = state.list;
      return (
        <>
          {blogs.length > 0 ? <Posts items={blogs} page={page} /> : <NoPosts page={page} />}
          <Pagination current={page} pages={pageCount(total)} />
        </>
      );
    }
  }
}

/**
 * Scrolls to the top and focuses the heading when the reader opens another page of the list. After
 * the back button, the browser restores the scroll position instead.
 */
function useScrollToTop(page: number, heading: React.RefObject<HTMLElement | null>): void {
  const navigationType = useNavigationType();
  const shownPage = useRef(page);
  useEffect(() => {
    if (shownPage.current === page) return;
    shownPage.current = page;
    if (navigationType === "POP") return;
    scrollTo({ top: 0, behavior: prefersLessMotion() ? "instant" : "smooth" });
    heading.current?.focus({ preventScroll: true });
  }, [page, navigationType, heading]);
}

function Posts({ items, page }: { items: ListedPost[]; page: number }) {
  return (
    <ul className="grid border-line border-t lg:grid-cols-2 lg:gap-x-16">
      {items.map((item) => (
        <li key={item.slug} className="post-entry">
          <div className="min-w-0 flex-1">
            <h2 className="text-xl md:text-2xl">
              {item.publishedAt && <NewMark id={postPath(item.slug)} time={item.publishedAt} />}
              <Link to={postPath(item.slug)} state={listPageState(page)} className="cover-link">
                {item.metaTitle}
              </Link>
            </h2>
            <p className="mt-1.5 text-ink-soft">{item.metaDescription}</p>
          </div>
          <div className="post-side">
            <RoundImage item={item} />
            <SaveButton item={{ url: postPath(item.slug), title: item.metaTitle, kind: "post" }} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function RoundImage({ item: { image, picture: pinImage } }: { item: ListedPost }) {
  if (image)
    return (
      // The title is next to the image, so a description would only delay screen readers.
      <CityImage image={{ ...image, alt: "" }} load="later" sizes="card" className="post-round" />
    );
  if (!pinImage) return null;
  return <PostImage src={pinImage} width={88} height={88} className="post-round" />;
}

function Skeletons() {
  return (
    <div role="status">
      <p className="sr-only">Loading articles…</p>
      <div className="grid border-line border-t lg:grid-cols-2 lg:gap-x-16" aria-hidden="true">
        {Array.from({ length: skeletonCount }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all skeletons are the same
          <div key={index} className="post-entry" data-skeleton="">
            <div className="flex-1 space-y-3 py-1">
              <div className="bone h-6 w-3/5" />
              <div className="bone h-4 w-full" />
              <div className="bone h-4 w-4/5" />
            </div>
            <div className="post-side">
              <div className="post-round bone" />
              <div className="save-place-icon" />
            </div>
          </div>
        ))}
      </div>
      <noscript>
        <p className="mt-6 font-semibold">
          We cannot show the articles right now. Please reload the page in a moment.
        </p>
      </noscript>
    </div>
  );
}

function Failure({ message, onTryAgain }: { message: string; onTryAgain(): void }) {
  return (
    <div role="alert" className="border-crab border-l-4 bg-surface p-5">
      <p className="font-semibold">Error loading blogs: {message || "Failed to load blogs"}</p>
      <p className="mt-1 text-ink-soft">
        Your connection or our server may be having trouble. When you are back online, the articles
        load by themselves.
      </p>
      <button type="button" className="button button-gold mt-4" onClick={onTryAgain}>
        Try Again
      </button>
    </div>
  );
}

function NoPosts({ page }: { page: number }) {
  return (
    <div className="border-line border-y py-14 text-center">
      <p className="font-serif text-2xl">No blog articles found.</p>
      {page > 1 && (
        <Link to={listPath(1)} className="text-link mt-3 inline-block py-1 font-semibold">
          Go to the first page
        </Link>
      )}
    </div>
  );
}

/** Uses plain links, so that every page has its own URL and works without JavaScript. */
function Pagination({ current, pages }: { current: number; pages: number }) {
  if (pages <= 1) return null;
  return (
    <nav aria-label="Blog pages" className="mt-12 no-print" data-offline="own">
      <ul className="flex flex-wrap items-center justify-center gap-1.5 sm:gap-2">
        <li>
          <Step to={current - 1} pages={pages} label="Previous" />
        </li>
        {pageButtons(current, pages).map((button, index) =>
          button === "gap" ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a gap has no other identity
            <li key={`gap-${index}`} aria-hidden="true" className="px-1">
              …
            </li>
          ) : (
            <li key={button}>
              <Link
                to={listPath(button)}
                preventScrollReset
                className="page-button"
                aria-current={button === current ? "page" : undefined}
              >
                {button}
              </Link>
            </li>
          ),
        )}
        <li>
          <Step to={current + 1} pages={pages} label="Next" />
        </li>
      </ul>
    </nav>
  );
}

function Step({ to, pages, label }: { to: number; pages: number; label: string }) {
  if (to < 1 || to > pages) {
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: at the end of the list, the link leads nowhere
      // biome-ignore lint/a11y/useSemanticElements: HTML has no disabled links, so this is a link without href
      <span role="link" aria-disabled="true" className="page-button">
        {label}
      </span>
    );
  }
  return (
    <Link to={listPath(to)} preventScrollReset className="page-button">
      {label}
    </Link>
  );
}

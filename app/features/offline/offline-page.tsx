import { useEffect, useId, useState } from "react";
import { useLocation } from "react-router";
import { isOwnPath, ownPath } from "../../lib/links/own-path.ts";
import { useHasPage } from "../../ui/hooks/use-has-page.ts";
import { Link } from "../../ui/link.tsx";
import { formatInstant } from "./format-instant.ts";
import { listPageCopies } from "./page-copy.ts";

type Props = {
  site: { name: string; timeZone: string };
  /** Whether the operator has told browsers not to store pages. */
  isSwitchedOff: boolean;
  /** Returns when the reader wrote into the form at this path without sending it. */
  readUnsentTime(path: string): number | null;
};

/** The page that a reader without a connection wanted to open. */
type WantedPage = {
  path: string;
  message: string;
  /** What the reader searched for. */
  words: string;
};

type ListedPage = { path: string; title: string; asOf: string; isSaved: boolean };
type Listing = { pages: ListedPage[]; bytes: number };
type ListingState = Listing | "loading" | "blocked";

/**
 * Lists the pages that are stored on this device. The service worker shows this page instead of a
 * page that is not stored, which `?for=` then names.
 */
export function OfflinePage({ site, isSwitchedOff, readUnsentTime }: Props) {
  const [state, setState] = useState<ListingState>("loading");
  const [wanted, setWanted] = useState<WantedPage | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const { search } = useLocation();
  const hasPage = useHasPage();
  const { timeZone } = site;

  useEffect(() => {
    // The stored page is the same for all values of `?for=`, so the server does not render it.
    setWanted(toWantedPage(new URLSearchParams(search).get("for")));
    readListing(timeZone).then(setState, () => setState("blocked"));
  }, [search, timeZone]);

  useEffect(() => {
    if (!wanted) return;
    const { path } = wanted;
    const stop = new AbortController();
    const { signal } = stop;
    // A browser may say that it is online before it can reach the server.
    const openWanted = () =>
      fetch(path, { method: "HEAD", signal }).then(
        () => location.replace(path),
        () => {},
      );
    addEventListener("online", openWanted, { signal });
    // Only after a reload: on a slow line, the worker could lead back here again and again.
    if (performance.getEntriesByType("navigation").some(isReload)) openWanted();
    return () => stop.abort();
  }, [wanted]);

  return (
    <div className="page pt-8 lg:pt-10">
      <h1 className="kicker">Reading without a connection</h1>
      {wanted && (
        <Wanted page={wanted} unsentTime={readUnsentTime(wanted.path)} timeZone={timeZone} />
      )}
      <p className="mt-4 max-w-2xl text-ink-soft text-lg">
        {isSwitchedOff
          ? "Reading offline is switched off at the moment, so every page needs a connection."
          : "Your browser stores the pages you visit and the items you save on this device, so that you can open them in a tunnel or on a plane. Nothing of this is sent to us."}
      </p>
      {!isSwitchedOff && (
        <noscript>
          <p className="mt-4 max-w-2xl">Your browser needs JavaScript to list these pages.</p>
        </noscript>
      )}
      <p className="mt-4 max-w-2xl text-ink-soft">
        {hasPage("/radio") && "The radio, "}
        {hasPage("/radio") ? "the" : "The"} search of the whole site and all forms need a
        connection. To delete everything that is stored on this device, use{" "}
        <Link to="/privacy#forget" className="text-link">
          Forget everything
        </Link>{" "}
        on the privacy page.
      </p>
      {/* The list appears later. Until then its place is as high as most screens. */}
      {!isSwitchedOff && (
        <div className="min-h-[75dvh]">
          <Pages state={state} typed={typed ?? wanted?.words ?? ""} onType={setTyped} />
        </div>
      )}
    </div>
  );
}

const isReload = (entry: PerformanceEntry) =>
  entry instanceof PerformanceNavigationTiming && entry.type === "reload";

const reasons: [RegExp, string][] = [
  [/^\/radio\b/, "The radio is live, so it needs a connection."],
  [/^\/search\b/, "The search needs a connection. Below you can search the stored titles."],
  [/^\/(?:contact|newsletter)\b|\/submit\b/, "This form needs a connection."],
];

/** Reads the parameter of the offline page. Only paths of this site are accepted. */
function toWantedPage(path: string | null): WantedPage | null {
  if (path === null || !isOwnPath(path)) return null;
  const [, reason] = reasons.find(([pattern]) => pattern.test(path)) ?? [];
  const query = path.startsWith("/search?") ? path.slice(path.indexOf("?")) : "";
  return {
    path,
    message: reason ?? "This page is not stored on your device, so it needs a connection.",
    words: new URLSearchParams(query).get("q") ?? "",
  };
}

type WantedProps = { page: WantedPage; unsentTime: number | null; timeZone: string };

/** The page that the reader wanted. Rendered only in the browser, which can format local times. */
const Wanted = ({ page, unsentTime, timeZone }: WantedProps) => (
  <div role="status" className="mt-6 max-w-2xl border-gold border-l-4 bg-surface p-4">
    <p className="font-semibold">{page.message}</p>
    {unsentTime !== null && (
      <p className="mt-2">
        What you wrote at {formatInstant(unsentTime, timeZone)}, is stored on this device and will
        be offered when you open the form again.
      </p>
    )}
    <p className="mt-2">
      {/* A plain link: if the connection is back, a full page load shows the page. */}
      <a href={page.path} className="text-link">
        Try again
      </a>
    </p>
  </div>
);

type PagesProps = { state: ListingState; typed: string; onType(text: string): void };

function Pages({ state, typed, onType }: PagesProps) {
  const fieldId = useId();
  if (state === "loading") return null;
  if (state === "blocked")
    return <p className="mt-6 max-w-2xl">Your browser does not let this site store pages.</p>;
  const { pages, bytes } = state;
  if (pages.length === 0)
    return (
      <p className="mt-6 max-w-2xl">
        No pages are stored yet. Open a few while you are connected, and they will be listed here.
      </p>
    );
  const found = pages.filter(({ title }) => matchesWords(title, typed));
  return (
    <>
      <div className="mt-6 max-w-2xl">
        <label htmlFor={fieldId} className="mb-1 block font-medium text-sm">
          Search the stored titles
        </label>
        <input
          id={fieldId}
          type="search"
          value={typed}
          onChange={(event) => onType(event.target.value)}
          className="field w-full"
        />
      </div>
      <p role="status" className="mt-3 text-ink-soft text-sm">
        {typed.trim() === ""
          ? `${countPages(pages.length)} on this device, ${formatBytes(bytes)} in total`
          : `${countPages(found.length)} found`}
      </p>
      <PageList heading="Saved" pages={found.filter(({ isSaved }) => isSaved)} />
      <PageList heading="Visited and newest" pages={found.filter(({ isSaved }) => !isSaved)} />
    </>
  );
}

function PageList({ heading, pages }: { heading: string; pages: ListedPage[] }) {
  if (pages.length === 0) return null;
  return (
    <section className="mt-8 max-w-2xl">
      <h2 className="text-2xl">{heading}</h2>
      <ul className="mt-2">
        {pages.map(({ path, title, asOf }) => (
          <li key={path} className="border-line border-b py-3">
            <Link to={path} className="font-semibold hover:text-accent">
              {title}
            </Link>
            <p className="text-ink-soft text-sm">As of {asOf}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Reads the list of stored pages, those that the reader used last first. */
async function readListing(timeZone: string): Promise<Listing> {
  const copies = [...(await listPageCopies())].toSorted(
    ([, one], [, other]) =>
      (other.savedAt ?? other.visitedAt ?? 0) - (one.savedAt ?? one.visitedAt ?? 0),
  );
  // Older versions of Safari have no estimate.
  const estimate = await navigator.storage?.estimate?.();
  return {
    pages: copies.map(([path, { title, sentAt, savedAt }]) => ({
      path: ownPath(new URL(path, location.origin)),
      title: title || path,
      asOf: formatInstant(sentAt, timeZone),
      isSaved: savedAt !== null,
    })),
    bytes: estimate?.usage ?? copies.reduce((sum, [, { bytes }]) => sum + bytes, 0),
  };
}

const matchesWords = (title: string, typed: string) =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => title.toLowerCase().includes(word));

const countPages = (count: number) => (count === 1 ? "1 page" : `${count} pages`);

const formatBytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

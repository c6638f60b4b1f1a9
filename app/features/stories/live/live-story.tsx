import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { Prose } from "../../../ui/prose.tsx";
import { type LiveEntry, type LiveStory, livePath, storyPath } from "../model.ts";

const over = "This story is no longer updated.";

type Props = { id: string; live: LiveStory; isPreview: boolean };

export default function LiveStoryText({ id, live, isPreview }: Props) {
  const isFollowed = useNewVersions(id, live, isPreview);
  const [newest] = live.entries;
  const [firstNewest] = useState(newest?.id);
  const [wasLive] = useState(live.isLive);
  // Screen readers announce only what has changed since the page was opened.
  const isNew = newest !== undefined && newest.id !== firstNewest;
  return (
    <>
      <section aria-label="Summary" className="max-w-2xl border-gold border-l-4 pl-5">
        <Prose html={live.summary} />
      </section>
      {live.isLive ? (
        <p className="no-print mt-8 flex flex-wrap items-baseline gap-x-3 text-note">
          <span className="mark mark-live">Live</span>
          {isFollowed ? (
            <span className="text-ink-soft">New entries appear here by themselves.</span>
          ) : (
            <a href={storyPath(id)} className="text-link py-1">
              Reload this page for new entries
            </a>
          )}
        </p>
      ) : (
        <p className="callout mt-8 max-w-2xl font-semibold">{over}</p>
      )}
      <p role="status" className="sr-only">
        {wasLive && !live.isLive
          ? over
          : isNew && [`New entry, ${newest.time.text}`, newest.title].filter(Boolean).join(": ")}
      </p>
      <ol className="mt-6 max-w-2xl">
        {live.entries.map((entry) => (
          <li key={entry.id} className="border-line border-t py-6">
            <Entry entry={entry} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Entry({ entry: { id, title, time, html } }: { entry: LiveEntry }) {
  return (
    <article id={id} className="scroll-mt-20">
      <p className="font-semibold text-note">
        <a href={`#${id}`} className="text-link text-crab">
          <time dateTime={time.iso}>{time.text}</time>
        </a>
      </p>
      {title !== "" && <h2 className="wrap-anywhere mt-1 text-2xl">{title}</h2>}
      <Prose html={html} />
    </article>
  );
}

/** The first wait before the page is loaded again, because a cache still had the previous version. */
const retryMs = 250;
const maxRetryMs = 30_000;

/** Loads the page's data again whenever the story changes. Returns whether that works. */
function useNewVersions(id: string, { isLive, version }: LiveStory, isPreview: boolean): boolean {
  const [announced, setAnnounced] = useState(version);
  const [isFollowed, setFollowed] = useState(false);
  const tries = useRef(0);
  const { revalidate, state } = useRevalidator();
  const isOpen = isLive && !isPreview;
  useEffect(() => {
    if (!isOpen) return;
    const stop = followLive(id, setAnnounced, () => void revalidate());
    setFollowed(true);
    return () => {
      setFollowed(false);
      stop();
    };
  }, [id, isOpen, revalidate]);
  useEffect(() => {
    if (announced === version) tries.current = 0;
    if (!isOpen || announced === version || state !== "idle") return;
    const wait = tries.current === 0 ? 0 : Math.min(retryMs * 2 ** (tries.current - 1), maxRetryMs);
    tries.current += 1;
    const timer = setTimeout(() => void revalidate(), wait);
    return () => clearTimeout(timer);
  }, [isOpen, announced, version, state, revalidate]);
  return isFollowed;
}

/** How often the page is loaded again if the server has no room for another stream. */
const pollMs = 15_000;

/**
 * Calls `onVersion` with each new version. If the server refuses the stream, calls `poll` from time
 * to time instead. Returns a function that stops both.
 */
function followLive(id: string, onVersion: (version: string) => void, poll: () => void) {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stream = new EventSource(livePath(id));
  stream.addEventListener("version", ({ data }: MessageEvent<string>) => onVersion(data));
  stream.addEventListener("error", () => {
    // The browser connects again by itself, unless the server has refused the stream.
    if (stream.readyState !== EventSource.CLOSED || timer !== undefined) return;
    timer = setInterval(poll, pollMs * (1 + Math.random() / 2));
  });
  return () => {
    stream.close();
    clearInterval(timer);
  };
}

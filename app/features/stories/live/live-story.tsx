import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { Prose } from "../../../ui/prose.tsx";
import { type LiveEntry, type LiveStory, livePath, storyPath } from "../model.ts";

const over = "This story is no longer updated.";
const lost = "No connection. New entries appear here when it is back.";

type Props = { id: string; live: LiveStory; isPreview: boolean };

export default function LiveStoryText({ id, live, isPreview }: Props) {
  const connection = useNewVersions(id, live, isPreview);
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
          {connection !== null ? (
            <span className="text-ink-soft">
              {connection === "lost" ? lost : "New entries appear here by themselves."}
            </span>
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
          : connection === "lost"
            ? lost
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

/** Null until the server has answered for the first time, and without scripts. */
type Connection = "open" | "lost" | null;

/** Loads the page's data again whenever the story changes. Returns whether that works. */
function useNewVersions(
  id: string,
  { isLive, version }: LiveStory,
  isPreview: boolean,
): Connection {
  const [announced, setAnnounced] = useState(version);
  const [connection, setConnection] = useState<Connection>(null);
  const tries = useRef(0);
  const { revalidate, state } = useRevalidator();
  const isOpen = isLive && !isPreview;
  useEffect(() => {
    if (!isOpen) return;
    const stop = followLive(id, setAnnounced, setConnection, () => void revalidate());
    return () => {
      setConnection(null);
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
  return connection;
}

/** How often the page is loaded, and the stream tried again, if the server has no room for it. */
const pollMs = 15_000;

/**
 * Calls `onVersion` with each new version, and `onConnection` when the server can be reached or no
 * longer. While the server refuses the stream, calls `load` from time to time. Returns a function
 * that stops all of this.
 */
function followLive(
  id: string,
  onVersion: (version: string) => void,
  onConnection: (connection: "open" | "lost") => void,
  load: () => void,
): () => void {
  let attempt = new AbortController();

  function connect(): void {
    attempt.abort();
    attempt = new AbortController();
    const { signal } = attempt;
    const stream = new EventSource(livePath(id));
    signal.addEventListener("abort", () => stream.close());
    stream.addEventListener("version", ({ data }: MessageEvent<string>) => {
      onConnection("open");
      onVersion(data);
    });
    stream.addEventListener("error", () => {
      // The browser connects again by itself, unless it received a refusal: from our server, which
      // has no room, or from a proxy, which does not reach our server.
      if (stream.readyState === EventSource.CLOSED) void loadInstead(signal);
      else onConnection("lost");
    });
  }

  async function loadInstead(signal: AbortSignal): Promise<void> {
    const request = fetch(storyPath(id), { method: "HEAD", cache: "no-store", signal });
    const isFound = await request.then(
      ({ ok }) => ok,
      () => false,
    );
    if (signal.aborted) return;
    onConnection(isFound ? "open" : "lost");
    if (isFound) load();
    const timer = setTimeout(connect, pollMs * (1 + Math.random() / 2));
    signal.addEventListener("abort", () => clearTimeout(timer));
  }

  // The browser may notice much later that the network under an open stream is gone.
  const lose = () => {
    attempt.abort();
    onConnection("lost");
  };
  addEventListener("offline", lose);
  addEventListener("online", connect);
  connect();
  return () => {
    removeEventListener("offline", lose);
    removeEventListener("online", connect);
    attempt.abort();
  };
}

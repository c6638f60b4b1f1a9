import { useEffect, useState } from "react";
import { isStorageBlocked } from "../../lib/device/device-value.ts";
import { isOwnPath } from "../../lib/links/own-path.ts";
import { AnyLink } from "../../ui/any-link.tsx";
import { useDeviceValue } from "../../ui/hooks/use-device-value.ts";
import { useHasPage } from "../../ui/hooks/use-has-page.ts";
import { useHydrated } from "../../ui/hooks/use-hydrated.ts";
import { BookmarkIcon } from "../../ui/icons.tsx";
import { Link } from "../../ui/link.tsx";
import { showToast } from "../../ui/toast.ts";
import { kindLabels, toBookmarksFile, toTextFile } from "./export.ts";
import {
  maxSavedItems,
  problemTexts,
  removeItem,
  type SavedItem,
  savedItems,
  saveItem,
} from "./saved-items.ts";

type Props = { siteName: string; canReadOffline: boolean };

/** The list exists only in the browser, so the server renders what it is for. */
export function SavedPage({ siteName, canReadOffline }: Props) {
  const isHydrated = useHydrated();
  return (
    <div className="page min-h-dvh pt-8 lg:pt-10 [&_svg]:inline [&_svg]:align-text-bottom">
      <h1 className="kicker">Saved</h1>
      <p className="mt-4 max-w-2xl text-ink-soft text-lg">
        What you saved on this device to read later. The list stays here: it is never sent to us,
        and other devices do not have it.
      </p>
      {!canReadOffline && (
        <p className="mt-6 max-w-2xl border-gold border-l-4 pl-3">
          Reading offline is switched off at the moment, so saved pages need a connection.
        </p>
      )}
      <noscript>
        <p className="mt-6 max-w-2xl border-gold border-l-4 pl-3">
          The list and the buttons that save need JavaScript, which does not run here. What you
          saved earlier is still on your device. Your browser’s own bookmarks work on every page.
        </p>
      </noscript>
      {isHydrated && <SavedList siteName={siteName} canReadOffline={canReadOffline} />}
    </div>
  );
}

function SavedList({ siteName, canReadOffline }: Props) {
  const items = useDeviceValue(savedItems);
  // Removed items stay on the page until the reader leaves it, so that each can be put back.
  const [removed, setRemoved] = useState<SavedItem[]>([]);
  const [status, setStatus] = useState("");
  const storedPaths = useStoredPaths(items);

  const remove = ({ url, title }: SavedItem) => {
    const item = removeItem(url);
    if (!item) return;
    setRemoved((others) => [...others.filter((other) => other.url !== url), item]);
    setStatus(`Removed: ${title}`);
  };
  const undo = (item: SavedItem) => {
    const problem = saveItem(item);
    if (problem) showToast({ text: problemTexts[problem] });
    else setStatus(`Saved again: ${item.title}`);
  };

  const isSaved = (item: SavedItem) => items.some(({ url }) => url === item.url);
  const rows = [...items, ...removed.filter((item) => !isSaved(item))].toSorted(
    (one, other) => other.savedAt - one.savedAt,
  );
  return (
    <>
      <p role="status" className="sr-only">
        {status}
      </p>
      {rows.length === 0 && <NothingSaved canReadOffline={canReadOffline} />}
      {items.length > 0 && <Exports items={items} siteName={siteName} />}
      {items.length >= maxSavedItems && (
        <p className="mt-6 max-w-2xl border-gold border-l-4 pl-3">{problemTexts["list-full"]}</p>
      )}
      <ul className="mt-6 max-w-240">
        {rows.map((item) => (
          <Row
            key={item.url}
            item={item}
            isRemoved={!isSaved(item)}
            isStored={canReadOffline && isStored(item, storedPaths)}
            onToggle={isSaved(item) ? remove : undo}
          />
        ))}
      </ul>
    </>
  );
}

const recheckMs = 3_000;
/**
 * A page that is still missing this long after it was saved was removed, or does not fit on the
 * device. Until then it may be on its way, so its row says nothing.
 */
const maxDownloadMs = 60_000;

/** Whether the reader can open a page offline; undefined while that is not known. */
function isStored({ url, savedAt }: SavedItem, paths: Set<string> | null): boolean | undefined {
  if (!isOwnPath(url)) return false;
  if (paths?.has(url)) return true;
  const isComing = navigator.onLine && Date.now() - savedAt < maxDownloadMs;
  return paths === null || isComing ? undefined : false;
}

/** The paths of our pages on this device, or null while they are not known yet. */
function useStoredPaths(items: SavedItem[]): Set<string> | null {
  const [paths, setPaths] = useState<Set<string> | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const endsAt = Date.now() + maxDownloadMs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = async () => {
      const { listStoredPaths } = await import("../offline/page-copy.ts");
      const stored = await listStoredPaths();
      if (stop.signal.aborted) return;
      setPaths(stored);
      const isMissing = items.some(({ url }) => isOwnPath(url) && !stored.has(url));
      clearTimeout(timer);
      if (isMissing && Date.now() < endsAt) timer = setTimeout(start, recheckMs);
    };
    const start = () => {
      // A browser that blocks storage has no copies.
      if (document.visibilityState === "visible") check().catch(() => setPaths(new Set()));
    };
    start();
    document.addEventListener("visibilitychange", start, { signal: stop.signal });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [items]);
  return paths;
}

type RowProps = {
  item: SavedItem;
  isRemoved: boolean;
  /** Whether the reader can open the page offline; undefined while that is not known yet. */
  isStored: boolean | undefined;
  onToggle(item: SavedItem): void;
};

function Row({ item, isRemoved, isStored, onToggle }: RowProps) {
  const { url, title, kind, source, when, savedAt } = item;
  const label = isRemoved ? "Undo" : "Remove";
  return (
    <li className="flex items-center gap-4 border-line border-t py-3.5">
      <div className="min-w-0 flex-1">
        <h2
          className={`wrap-anywhere text-lg md:text-xl ${isRemoved ? "text-ink-soft line-through" : ""}`}
        >
          <AnyLink to={url} className="hover:underline">
            {title}
          </AnyLink>
        </h2>
        <p className="mt-1 text-ink-soft text-sm">
          {isRemoved
            ? "Removed"
            : [
                kindLabels[kind],
                source,
                when,
                `Saved ${dateFormat.format(savedAt)}`,
                isStored !== undefined && (isStored ? "On this device" : "Needs a connection"),
              ]
                .filter(Boolean)
                .join(" · ")}
        </p>
      </div>
      {/* The same button removes and restores, so that it keeps the keyboard focus. */}
      <button
        type="button"
        className="button button-plain"
        aria-label={`${label}: ${title}`}
        onClick={() => onToggle(item)}
      >
        {label}
      </button>
    </li>
  );
}

const dateFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "medium" });

function NothingSaved({ canReadOffline }: Pick<Props, "canReadOffline">) {
  const hasPage = useHasPage();
  if (isStorageBlocked())
    return (
      <p className="mt-8 max-w-2xl border-gold border-l-4 pl-3">
        Your browser does not let this site store anything, so nothing can be saved here.
      </p>
    );
  return (
    <div className="mt-8 max-w-2xl border-line border-y py-10">
      <p className="font-serif text-2xl">You have not saved anything yet.</p>
      <p className="mt-2">
        Press <BookmarkIcon isFilled={false} /> next to a headline, or Save on a story, a post or an
        event, and it will be here.
        {canReadOffline && " You can read saved pages of ours without a connection."}
      </p>
      <p className="mt-4 flex flex-wrap gap-x-6">
        {places
          .filter(({ to }) => hasPage(to))
          .map(({ to, label }) => (
            <Link key={to} to={to} className="text-link py-1 font-semibold">
              {label}
            </Link>
          ))}
      </p>
    </div>
  );
}

const places = [
  { to: "/news", label: "News" },
  { to: "/stories", label: "Our stories" },
  { to: "/events", label: "Events" },
  { to: "/blog", label: "Blog" },
];

function Exports({ items, siteName }: { items: SavedItem[]; siteName: string }) {
  const { origin } = location;
  return (
    <p className="mt-6 flex flex-wrap items-center gap-3 text-sm">
      <button
        type="button"
        className="button button-plain"
        onClick={() => download("saved.txt", "text/plain", toTextFile(items, origin))}
      >
        Download as text
      </button>
      <button
        type="button"
        className="button button-plain"
        onClick={() =>
          download("bookmarks.html", "text/html", toBookmarksFile(items, origin, siteName))
        }
      >
        Download as bookmarks
      </button>
      <span className="text-ink-soft">Every browser can import the bookmarks file.</span>
    </p>
  );
}

/** Passes a text to the browser as a file, without the server. */
function download(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.click();
  // Some browsers read the file a moment after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

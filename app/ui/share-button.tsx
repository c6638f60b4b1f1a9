import { useEffect, useState, useSyncExternalStore } from "react";
import { CopyIcon, MailIcon, PrintIcon, ShareIcon } from "./icons.tsx";

type Outcome = "idle" | "copied" | "refused";

/** The note for each outcome, and how long it is shown. */
const notes = {
  copied: { text: "Link copied.", durationMs: 4_000 },
  refused: {
    text: "Your browser did not allow copying. Please copy the link from the address bar.",
    durationMs: 12_000,
  },
};

/**
 * Opens the device's share dialog, or copies the link on a device without one. The button is hidden
 * without JavaScript.
 */
export function ShareButton({ title }: { title: string }) {
  const [outcome, run] = useOutcome();
  return (
    <span className="script-only relative inline-flex">
      <button
        type="button"
        className="button button-plain"
        onClick={() => run(() => (canShare() ? openShareDialog(title) : copyLink()))}
      >
        <ShareIcon />
        Share
      </button>
      <OutcomeNote outcome={outcome} />
    </span>
  );
}

type ToolsProps = { title: string; url: string };

/**
 * Ways to pass on a page or to take it along. Without JavaScript, only the link for an email is
 * shown. On small phones, all tools but the first are icons.
 */
export function ShareTools({ title, url }: ToolsProps) {
  const [outcome, run] = useOutcome();
  // The server does not know the browser. The place for the button is always there, at the end that
  // is not aligned to anything, so that nothing moves when the button appears.
  const isShareShown = useSyncExternalStore(subscribeToNothing, canShare, () => false);
  const mail = `mailto:?${encodeQuery({ subject: title, body: `${title}\n\n${url}\n` })}`;
  return (
    <div className="no-print relative">
      <ul aria-label="Share this page" className="share-tools">
        <li className="script-only">
          <button type="button" className="share-tool" onClick={() => run(copyLink)}>
            <CopyIcon />
            <span className="share-tool-label">Copy link</span>
          </button>
        </li>
        <li>
          <a className="share-tool" href={mail}>
            <MailIcon />
            <span className="share-tool-label">Email</span>
          </a>
        </li>
        <li className="script-only">
          <button type="button" className="share-tool" onClick={() => window.print()}>
            <PrintIcon />
            <span className="share-tool-label">Print</span>
          </button>
        </li>
        <li className={`share-dialog script-only ${isShareShown ? "" : "invisible"}`}>
          <button
            type="button"
            className="share-tool"
            onClick={() => run(() => openShareDialog(title))}
          >
            <ShareIcon />
            <span className="share-tool-label">Share</span>
          </button>
        </li>
      </ul>
      <OutcomeNote outcome={outcome} />
    </div>
  );
}

const canShare = () => typeof navigator.share === "function";

/** Whether the browser can share does not change while the page is open. */
const subscribeToNothing = () => () => {};

/** Encodes a space as %20, because mail programs show a plus sign as it is. */
const encodeQuery = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");

const pageUrl = () => location.href.split("#", 1)[0] ?? "";

async function openShareDialog(title: string): Promise<Outcome> {
  // The promise rejects when the reader closes the dialog, which is not an error.
  await navigator.share({ title, url: pageUrl() }).catch(() => {});
  return "idle";
}

async function copyLink(): Promise<Outcome> {
  await navigator.clipboard.writeText(pageUrl());
  return "copied";
}

/** Remembers for a few seconds what a button did with the link of the page. */
function useOutcome() {
  const [outcome, setOutcome] = useState<Outcome>("idle");

  useEffect(() => {
    if (outcome === "idle") return;
    const timer = setTimeout(() => setOutcome("idle"), notes[outcome].durationMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  // Without HTTPS, some browsers have no clipboard at all.
  const run = (action: () => Promise<Outcome>) =>
    action().then(setOutcome, () => setOutcome("refused"));
  return [outcome, run] as const;
}

function OutcomeNote({ outcome }: { outcome: Outcome }) {
  return (
    <span role="status">
      {outcome !== "idle" && <span className="share-note">{notes[outcome].text}</span>}
    </span>
  );
}

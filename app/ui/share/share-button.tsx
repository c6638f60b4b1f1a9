import type { ReactNode } from "react";
import { useHydrated } from "../hooks/use-hydrated.ts";
import { CopyIcon, MailIcon, PrintIcon, ShareIcon } from "../icons.tsx";
import { CopyNote, type CopyOutcome, copyText, useCopyOutcome } from "./copy-outcome.tsx";
import { ReportLink } from "./report-link.tsx";

const notes = {
  copied: "Link copied.",
  refused: "Your browser did not allow copying. Please copy the link from the address bar.",
};

/**
 * Opens the device's share dialog, or copies the link on a device without one. The button is hidden
 * without JavaScript.
 */
export function ShareButton({ title }: { title: string }) {
  const [outcome, run] = useCopyOutcome();
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
      <CopyNote outcome={outcome} texts={notes} />
    </span>
  );
}

type ToolsProps = {
  title: string;
  url: string;
  /** The path of the page, if readers can report a mistake on it. */
  reportPath?: string | undefined;
  /** Another tool, which comes first. */
  children?: ReactNode;
};

/**
 * Ways to pass on a page or to take it along, and to report a mistake. Without JavaScript, only the
 * links are shown. On small phones, all tools but the first are icons.
 */
export function ShareTools({ title, url, reportPath, children }: ToolsProps) {
  const [outcome, run] = useCopyOutcome();
  // The server does not know the browser. The button is the last one, so that nothing else moves
  // when it appears.
  const isShareShown = useHydrated() && canShare();
  const mail = `mailto:?${encodeQuery({ subject: title, body: `${title}\n\n${url}\n` })}`;
  return (
    <div className="no-print relative">
      <ul aria-label="Share this page" className="share-tools">
        {children && <li className="script-only">{children}</li>}
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
        {reportPath && (
          <li>
            <ReportLink path={reportPath} className="share-tool" />
          </li>
        )}
        <li className={isShareShown ? "script-only" : "script-only invisible"}>
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
      <CopyNote outcome={outcome} texts={notes} />
    </div>
  );
}

const canShare = () => typeof navigator.share === "function";

/** Encodes a space as %20, because mail programs show a plus sign as it is. */
const encodeQuery = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");

const pageUrl = () => location.href.split("#", 1)[0] ?? "";

async function openShareDialog(title: string): Promise<CopyOutcome> {
  // The promise rejects when the reader closes the dialog, which is not an error.
  await navigator.share({ title, url: pageUrl() }).catch(() => {});
  return "idle";
}

const copyLink = () => copyText(pageUrl());

import type { ReactNode } from "react";
import { toQueryString } from "../../lib/links/query.ts";
import { useHydrated } from "../hooks/use-hydrated.ts";
import { CopyIcon, FlagIcon, MailIcon, PrintIcon, ShareIcon } from "../icons.tsx";
import { Link } from "../link.tsx";
import { CopyNote, type CopyOutcome, copyText, useCopyOutcome } from "./copy-outcome.tsx";

const notes = {
  copied: "Link copied.",
  refused: "Your browser did not allow copying. Please copy the link from the address bar.",
};

type Props = {
  title: string;
  url: string;
  /** What an email says between title and URL, such as the date of an event. */
  details?: string;
  /** The path of the page, if readers can report a mistake on it. */
  reportPath?: string | undefined;
  /** Another tool, which comes first. */
  children?: ReactNode;
};

/** Ways to share a page, and to report a mistake. Without JavaScript, only links are shown. */
export function ShareTools({ title, url, details = "", reportPath, children }: Props) {
  const [outcome, run] = useCopyOutcome();
  // The server does not know the browser. The button is the last one, so that nothing else moves
  // when it appears.
  const isShareShown = useHydrated() && typeof navigator.share === "function";
  const mail = `mailto:?${encodeQuery({ subject: title, body: `${title}\n${details}\n${url}\n` })}`;
  return (
    <div className="no-print relative">
      <ul aria-label="Share this page" className="share-tools">
        {children && <li className="script-only">{children}</li>}
        <li className="script-only">
          <button type="button" className="share-tool" onClick={() => run(copyLink)}>
            <CopyIcon />
            Copy link
          </button>
        </li>
        <li>
          <a className="share-tool" href={mail}>
            <MailIcon />
            Email
          </a>
        </li>
        <li className="script-only">
          <button type="button" className="share-tool" onClick={() => window.print()}>
            <PrintIcon />
            Print
          </button>
        </li>
        {reportPath && (
          <li>
            {/* The contact form then knows what the reader writes about. */}
            <Link
              to={`/contact${toQueryString({ about: reportPath })}#message`}
              rel="nofollow"
              className="share-tool"
            >
              <FlagIcon />
              Report a mistake
            </Link>
          </li>
        )}
        <li className={isShareShown ? "script-only" : "script-only invisible"}>
          <button
            type="button"
            className="share-tool"
            onClick={() => run(() => openShareDialog(title))}
          >
            <ShareIcon />
            Share
          </button>
        </li>
      </ul>
      <CopyNote outcome={outcome} texts={notes} />
    </div>
  );
}

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

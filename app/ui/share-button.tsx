import { type ReactNode, useEffect, useState } from "react";
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
  return (
    <LinkButton
      className="button button-plain"
      onPress={async () => (await openShareDialog(title)) || copyLink()}
    >
      <ShareIcon />
      Share
    </LinkButton>
  );
}

type ToolsProps = { title: string; url: string };

/**
 * Ways to pass on a page or to take it along. Without JavaScript, only the link for an email is
 * shown. On phones the tools are icons.
 */
export function ShareTools({ title, url }: ToolsProps) {
  const mail = `mailto:?${encodeQuery({ subject: title, body: `${title}\n\n${url}\n` })}`;
  return (
    <ul aria-label="Share this page" className="share-tools no-print">
      <li className="script-only">
        <LinkButton
          className="share-tool"
          onPress={async () => (await openShareDialog(title)) || copyLink()}
        >
          <ShareIcon />
          <span className="share-tool-label">Share</span>
        </LinkButton>
      </li>
      <li className="script-only">
        <LinkButton className="share-tool" onPress={copyLink}>
          <CopyIcon />
          <span className="share-tool-label">Copy link</span>
        </LinkButton>
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
    </ul>
  );
}

/** Encodes a space as %20, because mail programs show a plus sign as it is. */
const encodeQuery = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");

const pageUrl = () => location.href.split("#", 1)[0] ?? "";

/** Returns null on a device without a share dialog. */
async function openShareDialog(title: string): Promise<Outcome | null> {
  if (!navigator.share) return null;
  // The promise rejects when the reader closes the dialog, which is not an error.
  await navigator.share({ title, url: pageUrl() }).catch(() => {});
  return "idle";
}

async function copyLink(): Promise<Outcome> {
  await navigator.clipboard.writeText(pageUrl());
  return "copied";
}

type LinkButtonProps = {
  className: string;
  onPress(): Promise<Outcome>;
  children: ReactNode;
};

/** A button that says for a few seconds what it did with the link of the page. */
function LinkButton({ className, onPress, children }: LinkButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>("idle");

  useEffect(() => {
    if (outcome === "idle") return;
    const timer = setTimeout(() => setOutcome("idle"), notes[outcome].durationMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  return (
    <span className="script-only relative inline-flex">
      <button
        type="button"
        className={className}
        // Without HTTPS, some browsers have no clipboard at all.
        onClick={() => onPress().then(setOutcome, () => setOutcome("refused"))}
      >
        {children}
      </button>
      <span role="status">
        {outcome !== "idle" && <span className="share-note">{notes[outcome].text}</span>}
      </span>
    </span>
  );
}

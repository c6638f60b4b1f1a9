import { useEffect, useState } from "react";
import { ShareIcon } from "./icons.tsx";

type Outcome = "idle" | "copied" | "refused";

/** What is said of each outcome, and how long it stays. */
const notes = {
  copied: { text: "Link copied.", staysMs: 4_000 },
  refused: {
    text: "Your browser did not allow the copy. Please copy the link from its address bar.",
    staysMs: 12_000,
  },
};

/**
 * Opens the device's own sharing, or copies the link where there is none. Needs JavaScript, so it
 * shows only with it.
 */
export function ShareButton({ title }: { title: string }) {
  const [outcome, setOutcome] = useState<Outcome>("idle");

  useEffect(() => {
    if (outcome === "idle") return;
    const timer = setTimeout(() => setOutcome("idle"), notes[outcome].staysMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  const share = async () => {
    const url = location.href.split("#", 1)[0] ?? "";
    if (navigator.share) {
      // Rejected when the reader closes the panel, which is an answer too.
      await navigator.share({ title, url }).catch(() => {});
      return;
    }
    await navigator.clipboard.writeText(url).then(
      () => setOutcome("copied"),
      () => setOutcome("refused"),
    );
  };

  return (
    <span className="script-only relative inline-flex">
      <button
        type="button"
        className="button button-plain"
        // Without https some browsers have no clipboard at all.
        onClick={() => share().catch(() => setOutcome("refused"))}
      >
        <ShareIcon />
        Share
      </button>
      <span role="status">
        {outcome !== "idle" && <span className="share-note">{notes[outcome].text}</span>}
      </span>
    </span>
  );
}

import { useEffect, useState } from "react";
import { ShareIcon } from "./icons.tsx";

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
  const [outcome, setOutcome] = useState<Outcome>("idle");

  useEffect(() => {
    if (outcome === "idle") return;
    const timer = setTimeout(() => setOutcome("idle"), notes[outcome].durationMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  const share = async () => {
    const url = location.href.split("#", 1)[0] ?? "";
    if (navigator.share) {
      // The promise rejects when the reader closes the dialog, which is not an error.
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
        // Without HTTPS, some browsers have no clipboard at all.
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

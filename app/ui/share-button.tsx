import { useEffect, useState } from "react";
import { ShareIcon } from "./icons.tsx";

type Outcome = "idle" | "copied" | "refused";

/** How long "Link copied" stays before the button is itself again. */
const noteStaysMs = 4_000;

/** Opens the device's own sharing, or copies the link where there is none. Needs JavaScript, so it shows only with it. */
export function ShareButton({ title }: { title: string }) {
  const [outcome, setOutcome] = useState<Outcome>("idle");

  useEffect(() => {
    if (outcome !== "copied") return;
    const timer = setTimeout(() => setOutcome("idle"), noteStaysMs);
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
    <span className="script-only inline-flex flex-wrap items-center gap-x-3">
      <button
        type="button"
        className="button button-plain"
        // Without https some browsers have no clipboard at all.
        onClick={() => share().catch(() => setOutcome("refused"))}
      >
        <ShareIcon />
        Share
      </button>
      <span role="status" className="text-ink-soft text-sm">
        {outcome === "copied" && "Link copied."}
        {outcome === "refused" &&
          "Your browser keeps the clipboard closed: please copy the address from its bar."}
      </span>
    </span>
  );
}

import { useEffect, useState } from "react";

export type CopyOutcome = "idle" | "copied" | "refused";

/** How long the note about each outcome is shown. */
const durationsMs = { copied: 4_000, refused: 12_000 };

/** Remembers for a few seconds what a button did. */
export function useCopyOutcome() {
  const [outcome, setOutcome] = useState<CopyOutcome>("idle");

  useEffect(() => {
    if (outcome === "idle") return;
    const timer = setTimeout(() => setOutcome("idle"), durationsMs[outcome]);
    return () => clearTimeout(timer);
  }, [outcome]);

  // Without HTTPS, some browsers have no clipboard at all.
  const run = (action: () => Promise<CopyOutcome>) =>
    action().then(setOutcome, () => setOutcome("refused"));
  return [outcome, run] as const;
}

export async function copyText(text: string): Promise<CopyOutcome> {
  await navigator.clipboard.writeText(text);
  return "copied";
}

type NoteProps = {
  outcome: CopyOutcome;
  texts: Record<Exclude<CopyOutcome, "idle">, string>;
  className?: string;
};

/** Tells the reader the outcome. Screen readers announce it too. */
export const CopyNote = ({ outcome, texts, className = "panel share-note" }: NoteProps) => (
  <span role="status">
    {outcome !== "idle" && <span className={className}>{texts[outcome]}</span>}
  </span>
);

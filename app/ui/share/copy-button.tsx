import { CopyIcon } from "../icons.tsx";
import { CopyNote, copyText, useCopyOutcome } from "./copy-outcome.tsx";

const notes = {
  copied: "Copied.",
  refused: "Your browser did not allow copying. Please select the text and copy it.",
};

/** Copies a text. `label` says which. The button is hidden without JavaScript. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, run] = useCopyOutcome();
  return (
    <span className="script-only relative -mr-2.5 inline-flex items-center">
      <button type="button" className="share-tool" onClick={() => run(() => copyText(text))}>
        <CopyIcon />
        Copy<span className="sr-only"> {label}</span>
      </button>
      <CopyNote outcome={outcome} texts={notes} className="follow-note" />
    </span>
  );
}

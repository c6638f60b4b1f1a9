import { deskPath, withTarget } from "../../model.ts";
import { draftPath, tooLargeMessage } from "../model.ts";
import type { SaveState } from "./autosave.ts";

type Props = { id: string; state: SaveState; imageProblem: string };

/** Says whether what was typed is safe, and where it is. */
export function StateLine({ id, state, imageProblem }: Props) {
  return (
    <p role="status" className={imageProblem === "" ? "write-state" : "write-state text-crab"}>
      {imageProblem !== "" && `${imageProblem} `}
      {describeState(state)}
      {state.kind === "not-saved" && state.reason === "signed-out" && (
        <>
          {" "}
          <a
            href={withTarget(deskPath, draftPath(id))}
            target="_blank"
            rel="noreferrer"
            className="text-link"
          >
            Sign in
          </a>
        </>
      )}
    </p>
  );
}

const causes = {
  connection: "Not saved: no connection.",
  "signed-out": "Not saved: you are signed out.",
  "too-large": tooLargeMessage,
};

function describeState(state: SaveState): string {
  switch (state.kind) {
    case "saved":
      return `Saved ${state.at}`;
    case "typing":
    case "saving":
      return "Saving …";
    case "not-saved":
      return `${causes[state.reason]} ${state.isOnDevice ? "It is on this device." : "This browser stores nothing: copy your text before you close the page."}`;
    case "conflict":
      return state.typed === null
        ? `Saved. ${state.other.editorName} is editing this now.`
        : "Not saved: there is another version.";
    case "missing":
      return "Somebody deleted or published this draft. To keep what you typed, save it again.";
  }
}

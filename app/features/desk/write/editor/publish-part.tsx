import { useEffect, useRef } from "react";
import { deskPath, withTarget } from "../../model.ts";
import { Press } from "../../pages/parts.tsx";
import { draftPath, intentField, tooLargeMessage, whenField } from "../model.ts";
import type { DraftResult } from "../receive.server.ts";
import type { DraftPageContent } from "../show.server.ts";
import type { SaveState } from "./autosave.ts";

/** What the form of a draft came to. "failed": we know no result. */
export type ShownResult = DraftResult | { kind: "failed"; message: string } | undefined;

type Props = {
  content: DraftPageContent;
  result: ShownResult;
  isSending: boolean;
  /** Whether the last press did nothing, because the text or a photo could not be sent. */
  isTextUnsent: boolean;
  isPhotoUnsent: boolean;
};

/** The button that opens the choice of when to publish, which works without JavaScript. */
export function PublishPart({ content, result, isSending, isTextUnsent, isPhotoUnsent }: Props) {
  const { publishAt, isOnSite } = content;
  const refused = result?.kind === "refused" ? result : undefined;
  const error = refused?.errors[whenField];
  const failure = result?.kind === "failed" ? result.message : undefined;
  const isOpen = error !== undefined || failure !== undefined;
  const details = useRef<HTMLDetailsElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each result shows what it is about
  useEffect(() => {
    if (details.current) details.current.open = isOpen;
  }, [result, content]);
  return (
    <details ref={details} open={isOpen} className="group">
      <summary className="button button-gold cursor-pointer list-none">
        <span className="group-open:hidden">{publishAt ? "Scheduled …" : "Publish …"}</span>
        <span className="hidden group-open:inline">Close</span>
      </summary>
      <div className="write-choice">
        {isTextUnsent && (
          <p role="alert" className="desk-error">
            Nothing was published, because the text is not saved. The line below says why.
          </p>
        )}
        {isPhotoUnsent && (
          <p role="alert" className="desk-error">
            Nothing was published, because a photo could not be sent yet. Please try again in a
            moment.
          </p>
        )}
        {failure && (
          <p role="alert" className="desk-error">
            {failure}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <label htmlFor={whenField} className="font-semibold">
            At a time ({content.timeZoneName})
          </label>
          <input
            id={whenField}
            name={whenField}
            type="datetime-local"
            defaultValue={error === undefined ? publishAt?.input : refused?.when}
            aria-invalid={error === undefined ? undefined : true}
            aria-describedby={error === undefined ? undefined : `${whenField}-error`}
            className="field w-auto"
          />
          <Press name={intentField} value="schedule" look="button button-plain">
            Schedule
          </Press>
        </div>
        {error && (
          <p id={`${whenField}-error`} className="font-medium text-crab">
            {error}
          </p>
        )}
        <Press
          name={intentField}
          value="publish"
          look="button button-gold w-full"
          aria-disabled={isSending}
        >
          {isSending ? "One moment …" : isOnSite ? "Publish the changes" : "Publish now"}
        </Press>
      </div>
    </details>
  );
}

type StateProps = { id: string; state: SaveState; imageProblem: string };

export function StateLine({ id, state, imageProblem }: StateProps) {
  return (
    <p
      role="status"
      className={`mr-auto flex-auto text-sm ${imageProblem === "" ? "text-ink-soft" : "text-crab"}`}
    >
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
  server: "Not saved: the server could not store it.",
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
      return "Not saved: there is another version.";
    case "gone":
      return "Somebody deleted or published this draft. To keep what you typed, save it again.";
  }
}

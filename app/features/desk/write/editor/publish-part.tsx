import { useEffect, useRef } from "react";
import { intentField, whenField } from "../model.ts";
import type { DraftResult } from "../receive.server.ts";
import type { DraftPageContent } from "../show.server.ts";

/** What the form of a draft came to. "offline": it did not reach the server. */
export type ShownResult = DraftResult | { kind: "offline" } | undefined;

type Props = {
  content: DraftPageContent;
  result: ShownResult;
  isSending: boolean;
  /** Whether the last press did nothing, because the text could not be saved. */
  isUnsaved: boolean;
};

/** The button that opens the choice of when to publish, which works without JavaScript. */
export function PublishPart({ content, result, isSending, isUnsaved }: Props) {
  const { publishAt, isOnSite } = content;
  const intent = (value: string) => ({ type: "submit", name: intentField, value }) as const;
  const refused = result?.kind === "refused" ? result : undefined;
  const error = refused?.errors[whenField];
  const isOffline = result?.kind === "offline";
  const isOpen = error !== undefined || isOffline;
  const details = useRef<HTMLDetailsElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each result shows what it is about
  useEffect(() => {
    if (details.current) details.current.open = isOpen;
  }, [result, content]);
  return (
    <details ref={details} open={isOpen} className="write-publish group">
      <summary className="button button-gold">
        <span className="group-open:hidden">{publishAt ? "Scheduled …" : "Publish …"}</span>
        <span className="hidden group-open:inline">Close</span>
      </summary>
      <div className="write-choice">
        {isUnsaved && (
          <p role="alert" className="desk-error">
            Nothing was published, because the text is not saved. The line below says why.
          </p>
        )}
        {isOffline && (
          <p role="alert" className="desk-error">
            No connection. Nothing was published; press the button again when you are back.
          </p>
        )}
        <div className="write-when">
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
            className="field"
          />
          <button {...intent("schedule")} className="button button-plain">
            Schedule
          </button>
        </div>
        {error && (
          <p id={`${whenField}-error`} className="font-medium text-crab">
            {error}
          </p>
        )}
        <button
          {...intent("publish")}
          className="button button-gold w-full"
          aria-disabled={isSending}
        >
          {isSending ? "One moment …" : isOnSite ? "Publish the changes" : "Publish now"}
        </button>
      </div>
    </details>
  );
}

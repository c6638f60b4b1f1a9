import { intentField, whenField } from "../model.ts";
import type { DraftPageContent } from "../show.server.ts";

type Props = {
  content: DraftPageContent;
  error: string | undefined;
  isSending: boolean;
  /** Whether the last attempt to publish did not reach the server. */
  isOffline: boolean;
};

/** Publish now, publish at a time, or delete the draft. */
export function PublishPart({ content, error, isSending, isOffline }: Props) {
  const { publishAt, isPublished } = content;
  const intent = (value: string) => ({ type: "submit", name: intentField, value }) as const;
  return (
    <section id="publish" aria-labelledby="publish-heading" className="write-publish">
      <h2 id="publish-heading" className="desk-subheading">
        {isPublished ? "Publish the changes" : "Publish"}
      </h2>
      {/* The Enter key presses the first button of a form. */}
      <button {...intent("save")} className="sr-only" tabIndex={-1} aria-hidden="true">
        Save
      </button>
      {isOffline && (
        <p role="alert" className="desk-error">
          No connection. Nothing was published; press the button again when you are back.
        </p>
      )}
      {publishAt && (
        <p className="callout write-notice">
          <span>
            It will be published on <b>{publishAt.shown}</b>, as it is then.
          </span>
          <button {...intent("unschedule")} className="button button-plain">
            Do not publish it then
          </button>
        </p>
      )}
      <button {...intent("publish")} className="button button-gold" aria-disabled={isSending}>
        {isSending ? "One moment …" : "Publish now"}
      </button>
      <div className="write-when">
        <label htmlFor={whenField} className="font-semibold">
          Or at a time
        </label>
        <input
          id={whenField}
          name={whenField}
          type="datetime-local"
          defaultValue={publishAt?.input}
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
      <details className="mt-6">
        <summary>Delete this draft</summary>
        <p className="desk-note">
          {isPublished
            ? "The published story stays as it is."
            : "The text and its images are gone for everybody."}
        </p>
        <button {...intent("delete")} className="button button-plain mt-2">
          Yes, delete it
        </button>
      </details>
    </section>
  );
}

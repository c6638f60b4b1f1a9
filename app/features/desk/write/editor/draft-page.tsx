import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { Form, useRevalidator, useSubmit } from "react-router";
import { Link } from "../../../../ui/link.tsx";
import { ErrorSummary } from "../../../forms/form-shell.tsx";
import { kindLabels } from "../../model.ts";
import { hasConnection } from "../../pages/connection-check.tsx";
import { Press } from "../../pages/parts.tsx";
import {
  backParam,
  intentField,
  kindField,
  previewPath,
  readDraftFields,
  revisionField,
  titleOf,
  unapprovedMessage,
  writeDraftFields,
  writePath,
} from "../model.ts";
import type { DraftPageContent } from "../show.server.ts";
import { DraftFieldset } from "./draft-fieldset.tsx";
import { PublishPart, type ShownResult, StateLine } from "./publish-part.tsx";
import { type Start, type Unsent, useDraft } from "./use-draft.ts";
import { Versions } from "./versions.tsx";

type Props = {
  content: DraftPageContent;
  result: ShownResult;
};

const watchIntervalMs = 10_000;

/** Shows what the other editor saves, and whether the draft is still there. */
function useWatching(isWatching: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isWatching) return;
    const look = async () => {
      if (document.visibilityState === "visible" && (await hasConnection())) revalidate();
    };
    const timer = setInterval(look, watchIntervalMs);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [isWatching, revalidate]);
}

export function DraftPage({ content: loaded, result }: Props) {
  // An editor who sees both versions chooses one of them, and need not take the draft over first.
  const content = result?.kind === "conflict" ? { ...loaded, open: null } : loaded;
  const { id, open } = content;
  useWatching(open !== null);
  return (
    <div className="write">
      <div className="min-w-0">
        {open ? (
          <Form method="post" className="callout write-notice">
            <p>
              <b>{open.name}</b> is editing this, {open.ago}.
            </p>
            <Press name={intentField} value="take-over" look="button button-plain">
              Take over
            </Press>
          </Form>
        ) : null}
        {/* A new key resets the form: after taking over, or after a change by another editor. */}
        <DraftForm
          key={`${open && content.revision} ${content.created}`}
          content={content}
          result={result}
        />
      </div>
      <iframe src={previewPath(id)} title="Preview" className="write-preview" />
    </div>
  );
}

/** The form begins with what was typed last. The server has it, unless it is too long. */
function toInitial({ fields, revision }: DraftPageContent, result: Props["result"]): Start {
  if (result?.kind === "refused")
    return { fields: result.typed, saved: fields, revision: result.revision };
  return result?.kind === "conflict"
    ? { fields: result.typed, saved: fields, revision: result.response.revision }
    : { fields, saved: fields, revision };
}

/** What opens at the end of the page is not below the bar. */
function showOpened({ currentTarget }: { currentTarget: HTMLDetailsElement }): void {
  if (currentTarget.open) currentTarget.scrollIntoView({ block: "nearest" });
}

function DraftForm({ content, result }: Props) {
  const { id, kind, open } = content;
  const noun = kindLabels[kind].one.toLowerCase();
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const headingId = useId();
  const [initial] = useState(() => toInitial(content, result));
  const [initialConflict] = useState(() =>
    result?.kind === "conflict" ? { typed: result.typed, other: result.response } : null,
  );
  const [isSending, setSending] = useState(false);
  /** Publishing twice would make a new draft of what the first press has published. */
  const isSubmitting = useRef(false);
  const [unsent, setUnsent] = useState<Unsent | null>(null);
  const draft = useDraft({
    id,
    kind,
    form,
    initial,
    initialConflict,
    savedAt: content.saved,
    obstacles: content.publishAt?.obstacles ?? [],
    isEnabled: open === null,
  });
  const { start, conflict, state, obstacles } = draft;
  const isGone = state.kind === "gone" && !state.isTyped;
  const { revalidate } = useRevalidator();
  // If nothing is lost, the page says what became of the draft, of its date and its item, or that
  // another editor has it open now.
  useEffect(() => {
    if (isGone || draft.notice) revalidate();
  }, [isGone, draft.notice, revalidate]);

  const isHeld = unsent === "changed";
  const { check } = draft;
  // The server refused to publish, because the draft or its item changed elsewhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal is about a new change
  useEffect(() => {
    if (result?.kind !== "conflict") return;
    setUnsent("changed");
    check();
  }, [result]);

  // The tab has the title that was saved.
  useEffect(() => {
    if (state.kind !== "saved" || !form.current) return;
    const title = titleOf(readDraftFields(new FormData(form.current)));
    document.title = `${title} – The desk`;
  }, [state]);

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isSubmitting.current) return;
    const { submitter } = event.nativeEvent as SubmitEvent;
    let body = new FormData(event.currentTarget, submitter);
    const intent = String(body.get(intentField));
    if (state.kind !== "gone") {
      const needsAll = !["delete", "unschedule"].includes(intent);
      setSending(true);
      const { saved, revision, unsent } = await draft.send(needsAll);
      setSending(false);
      const isHeld = unsent !== null && (needsAll || unsent === "changed");
      setUnsent(isHeld ? unsent : null);
      if (isHeld || intent === "save" || isSubmitting.current) return;
      // The server would refuse a text that is too long.
      if (unsent) body = writeDraftFields(new FormData(), saved);
      body.set(intentField, intent);
      body.set(kindField, kind);
      body.set(revisionField, String(revision));
    }
    isSubmitting.current = true;
    setSending(true);
    try {
      await submit(body, {
        method: "post",
        encType: "multipart/form-data",
        preventScrollReset: true,
      });
    } finally {
      isSubmitting.current = false;
      setSending(false);
    }
  }

  const refusal = result?.kind === "refused" ? result : null;
  // Below a field that was changed since, its error may no longer be true.
  const [changed, setChanged] = useState<{ since: ShownResult; names: string[] } | null>(null);
  const names = changed && changed.since === result ? changed.names : [];
  const errors = Object.entries(refusal?.errors ?? {}).filter(([name]) => !names.includes(name));

  function onInput({ target }: FormEvent<HTMLFormElement>): void {
    draft.change();
    const name = target instanceof Element ? target.getAttribute("name") : null;
    if (name !== null && !names.includes(name) && refusal?.errors[name] !== undefined)
      setChanged({ since: result, names: [...names, name] });
  }

  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <Link to={writePath} className="desk-tap text-link">
          ← Write
        </Link>
        <h1 id={headingId} className="text-ink-soft text-sm">
          {content.isOnSite
            ? `Edit a published ${noun}`
            : `${content.changesItem ? "Edit this" : "Write a new"} ${noun}`}
        </h1>
      </div>
      <div role="status">
        {draft.notice && (
          <p className="callout write-notice">
            {draft.notice.text}
            {isHeld && " Nothing was published or scheduled yet: press the button again."}
          </p>
        )}
      </div>
      {conflict && <Versions {...conflict} onChoose={draft.choose} />}
      <Form
        key={draft.version}
        ref={form}
        method="post"
        encType="multipart/form-data"
        noValidate
        aria-labelledby={headingId}
        onSubmit={send}
        onInput={onInput}
        className={conflict ? "scripts:hidden" : undefined}
      >
        {/* The Enter key presses the first button of a form. */}
        <Press name={intentField} value="save" look="sr-only" tabIndex={-1} aria-hidden="true">
          Save
        </Press>
        <input type="hidden" name={kindField} value={kind} />
        {content.changesItem && (
          <p className="desk-note mb-4">
            {content.unapprovedPath ? (
              <>
                {unapprovedMessage(kind)}{" "}
                <Link to={content.unapprovedPath} className="text-link">
                  Open it
                </Link>
              </>
            ) : content.isOnSite ? (
              "Readers still see the old version."
            ) : (
              `The ${noun} is not on the site now. Publishing it puts it there again.`
            )}
          </p>
        )}
        {refusal && (
          <div className="mb-6">
            <ErrorSummary refusal={refusal} />
          </div>
        )}
        <fieldset disabled={open !== null} className="write-fields">
          {content.publishAt && (
            <p className="callout write-notice">
              <span>
                It {obstacles.length === 0 ? "will" : "cannot"} be published on{" "}
                <b>{content.publishAt.shown}</b>
                {obstacles.length === 0 ? ", as it is then." : ` yet: ${obstacles.join(" ")}`}
              </span>
              <Press name={intentField} value="unschedule" look="button button-plain">
                Unschedule
              </Press>
            </p>
          )}
          <input type="hidden" name={revisionField} value={start.revision} />
          <DraftFieldset
            content={content}
            draft={draft}
            refusal={{
              typed: Object.fromEntries(writeDraftFields(new URLSearchParams(), start.fields)),
              errors: Object.fromEntries(errors),
            }}
          />
          <details className="pb-6" onToggle={showOpened}>
            <summary className="desk-tap text-link">
              {content.changesItem ? "Discard these changes" : "Delete this draft"}
            </summary>
            <p className="desk-note">
              {content.changesItem
                ? `The ${noun} itself stays as it is.`
                : "The text and its images are gone for everybody."}
            </p>
            <Press name={intentField} value="delete" look="button button-plain mt-2">
              {content.changesItem ? "Yes, discard them" : "Yes, delete it"}
            </Press>
          </details>
        </fieldset>
        <div className="write-bar">
          <StateLine
            id={id}
            state={state}
            imageProblem={[...draft.imageProblems.values()].join(" ")}
          />
          <a
            href={`${previewPath(id)}?${backParam}`}
            target="desk-preview"
            className="desk-tap text-link xl:hidden"
          >
            Preview
          </a>
          <Press
            name={intentField}
            value="save"
            look={state.kind === "gone" ? "desk-button" : "desk-button scripts:hidden"}
          >
            Save
          </Press>
          {open === null && (
            <PublishPart
              content={content}
              result={result}
              isSending={isSending}
              isTextUnsent={unsent === "text" && state.kind !== "saved"}
              isPhotoUnsent={unsent === "photo" && draft.pending.size > 0}
            />
          )}
        </div>
      </Form>
    </>
  );
}

import { type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { useDeviceValue } from "../../ui/hooks/use-device-value.ts";
import { type Refusal, tokenField } from "./model.ts";
import { uploadProgress } from "./send-form.ts";
import { SpamTrap } from "./spam-trap.tsx";
import { toUnsentPath } from "./unsent/unsent-form.ts";
import { UnsentNotice } from "./unsent/unsent-notice.tsx";

type Props = {
  /** A path, which may have a query. */
  action: string;
  token: string;
  refusal: Refusal | undefined;
  submitLabel: string;
  hasFiles?: boolean;
  children: ReactNode;
};

/**
 * What forms with a token have in common. The newsletter's form has none: it is on cached pages.
 * Without JavaScript, the browser submits it as a plain HTML form.
 */
export function FormShell({ action, token, refusal, submitLabel, hasFiles, children }: Props) {
  const path = toUnsentPath(action);
  const { formAction } = useNavigation();
  const isSending = formAction !== undefined && toUnsentPath(formAction) === path;
  const form = useRef<HTMLFormElement>(null);
  // A refusal has the token with which the form is sent again, also if the page was made again.
  const [currentToken, setCurrentToken] = useState(token);
  const newToken = refusal?.token;
  if (newToken && newToken !== currentToken) setCurrentToken(newToken);
  return (
    <Form
      ref={form}
      method="post"
      action={action}
      // The server checks all fields, and the browser's own messages differ from ours.
      noValidate
      className="space-y-5"
      data-refused={refusal ? "" : undefined}
      {...(hasFiles ? { encType: "multipart/form-data" } : {})}
    >
      <UnsentNotice path={path} form={form} />
      {refusal && <ErrorSummary refusal={refusal} />}
      {children}
      <input type="hidden" name={tokenField} value={currentToken} />
      <SpamTrap refusal={refusal} />
      {hasFiles && <UploadProgress />}
      <button type="submit" className="button button-gold" aria-disabled={isSending || undefined}>
        {isSending ? "Sending…" : submitLabel}
      </button>
    </Form>
  );
}

/** Once everything is sent, the server still needs a moment for the photos. */
function UploadProgress() {
  const progress = useDeviceValue(uploadProgress);
  if (progress === null) return null;
  const percent = Math.round(progress * 100);
  return (
    <label className="block font-semibold">
      {percent < 100 ? `${percent}% sent` : "All sent. One moment …"}
      <progress value={progress} className="mt-1 block h-3 w-full accent-gold" />
    </label>
  );
}

/** Gets the focus, so that screen readers read it. With role="alert", they would read it twice. */
export function ErrorSummary({ refusal }: { refusal: Pick<Refusal, "summary" | "errors"> }) {
  const box = useRef<HTMLDivElement>(null);
  const summaryId = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new refusal gets the focus, even if it equals the previous one
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "start", behavior: "instant" });
  }, [refusal]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, but these are links
    <div
      ref={box}
      tabIndex={-1}
      role="group"
      aria-labelledby={summaryId}
      className="border-crab border-l-4 bg-surface p-4"
    >
      <p id={summaryId} className="font-semibold">
        {refusal.summary}
      </p>
      <ul className="mt-1 list-disc pl-5 empty:hidden">
        {Object.entries(refusal.errors).map(([name, message]) => (
          <li key={name}>
            <a href={`#${name}`} className="text-link" onClick={focusField}>
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Focuses the field without following the link: a navigation would drop the refusal. */
function focusField(event: MouseEvent<HTMLAnchorElement>): void {
  const field = document.getElementById(event.currentTarget.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  field.focus();
}

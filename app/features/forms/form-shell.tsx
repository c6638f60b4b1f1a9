import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { Form, useNavigation } from "react-router";
import { type Refusal, spamTrapField, tokenField } from "./model.ts";

type Props = {
  action: string;
  token: string;
  refusal: Refusal | undefined;
  submit: string;
  /** A form with files travels in parts. */
  hasFiles?: boolean;
  children: ReactNode;
};

/**
 * What every form of the site has around its fields. It works without JavaScript: a plain form that
 * is posted.
 */
export function FormShell({ action, token, refusal, submit, hasFiles, children }: Props) {
  const isSending = useNavigation().formAction?.split("?", 1)[0] === action;
  return (
    <Form
      method="post"
      action={action}
      className="space-y-5"
      {...(hasFiles ? { encType: "multipart/form-data" } : {})}
    >
      {refusal && <Summary refusal={refusal} />}
      {children}
      <input type="hidden" name={tokenField} value={token} />
      <SpamTrap />
      <button type="submit" className="button button-gold" aria-disabled={isSending || undefined}>
        {isSending ? "Sending…" : submit}
      </button>
    </Form>
  );
}

/**
 * Says what is wrong before anything else is read, and leads to each field that needs a look. It
 * takes the focus, which has screen readers read it; as an alert it would be read twice.
 */
function Summary({ refusal }: { refusal: Refusal }) {
  const box = useRef<HTMLDivElement>(null);
  const sentence = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new refusal is to be noticed, also one like the last
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "start", behavior: "instant" });
  }, [refusal]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and these are links to them
    <div
      ref={box}
      tabIndex={-1}
      role="group"
      aria-labelledby={sentence}
      className="border-crab border-l-4 bg-surface p-4"
    >
      <p id={sentence} className="font-semibold">
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

/**
 * As the link itself does; but a move to another address would make the router forget what it said
 * of the form.
 */
function focusField(event: MouseEvent<HTMLAnchorElement>): void {
  const field = document.getElementById(event.currentTarget.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  field.focus();
}

export function SpamTrap() {
  return (
    <div className="form-trap" aria-hidden="true">
      <label>
        Leave this field empty <input name={spamTrapField} tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}

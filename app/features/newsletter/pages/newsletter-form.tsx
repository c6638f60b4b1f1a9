import { useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import type { Refusal } from "../../forms/model.ts";
import { SpamTrap } from "../../forms/spam-trap.tsx";
import { newsletterPath } from "../model.ts";

export function NewsletterForm({ id, refusal }: { id: string; refusal?: Refusal | undefined }) {
  const isSending = useNavigation().formAction === newsletterPath;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (refusal) field.current?.focus({ preventScroll: true });
  }, [refusal]);
  const error = refusal?.errors.email ?? refusal?.summary;
  return (
    <Form method="post" action={newsletterPath}>
      <label htmlFor={id} className="mb-1 block font-medium text-sm">
        Email address
      </label>
      <div className="flex max-w-md flex-wrap gap-2">
        <input
          ref={field}
          id={id}
          type="email"
          name="email"
          required
          autoComplete="email"
          defaultValue={refusal?.typed.email}
          // biome-ignore lint/a11y/noAutofocus: without JavaScript, the refused field also gets the focus
          autoFocus={refusal !== undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className="field min-w-0 flex-[1_1_12rem]"
        />
        <button type="submit" className="button button-gold" aria-disabled={isSending || undefined}>
          {isSending ? "Sending…" : "Subscribe"}
        </button>
      </div>
      <SpamTrap refusal={refusal} />
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-2 font-medium text-crab">
          {error}
        </p>
      )}
    </Form>
  );
}

/** The newsletter form with an invitation, for the end of a post. */
export function NewsletterBox({ texts }: { texts: { heading: string; pitch: string } }) {
  return (
    // This is not a landmark, because the form in the footer is a landmark with the same name.
    <div className="panel flex flex-col items-center p-6 text-center">
      <h2 className="text-2xl md:text-3xl">{texts.heading}</h2>
      <p className="mt-2 mb-4 max-w-md text-ink-soft">{texts.pitch}</p>
      <div className="w-full max-w-md text-left">
        <NewsletterForm id="newsletter-box-email" />
      </div>
    </div>
  );
}

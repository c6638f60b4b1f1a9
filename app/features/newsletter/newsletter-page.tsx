import { useEffect, useRef } from "react";
import { ArtPicture } from "../../ui/art-picture.tsx";
import type { Refusal } from "../forms/model.ts";
import type { NewsletterTexts } from "./files.server.ts";
import { pendingLifetimeDays } from "./model.ts";
import { NewsletterForm } from "./newsletter-form.tsx";

type Props = { texts: NewsletterTexts; result?: { kind: "kept"; email: string } | Refusal | undefined };

export function NewsletterPage({ texts, result }: Props) {
  return (
    <div className="page grid grid-cols-1 items-start gap-10 pt-10 md:grid-cols-2 lg:pt-16">
      <div>
        <h1 className="kicker text-4xl md:text-5xl">{texts.heading}</h1>
        {result?.kind === "kept" ? (
          <Pending email={result.email} />
        ) : (
          <Invitation texts={texts} refused={result} />
        )}
      </div>
      <ArtPicture picture={texts.image} className="rounded-sm" />
    </div>
  );
}

function Pending({ email }: { email: string }) {
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => answer.current?.focus({ preventScroll: true }), []);
  return (
    <div ref={answer} tabIndex={-1} role="status" className="outline-none">
      <p className="mt-4 text-lg">
        Thank you. <strong className="break-all">{email}</strong> is on our list, and a confirmation is
        pending.
      </p>
      <p className="mt-4 text-ink-soft">
        Before the first letter we send you one e-mail that asks whether it was really you. Until you say yes
        you get nothing else, and if you never do, we delete the address after {pendingLifetimeDays} days.
      </p>
    </div>
  );
}

function Invitation({ texts, refused }: { texts: NewsletterTexts; refused: Refusal | undefined }) {
  return (
    <>
      <p className="mt-4 mb-6 text-lg">{texts.pitch}</p>
      <NewsletterForm
        id="email"
        typed={refused?.typed.email}
        error={refused?.errors.email ?? refused?.summary}
      />
    </>
  );
}

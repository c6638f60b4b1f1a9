import { type ReactNode, useEffect, useRef } from "react";
import type { Image } from "../../../lib/site/site-fields.server.ts";
import { CityImage } from "../../../ui/city-image.tsx";
import type { Refusal } from "../../forms/model.ts";
import { pendingLifetimeDays } from "../model.ts";
import { NewsletterForm } from "./newsletter-form.tsx";

export type Subscribed = { kind: "subscribed"; email: string; mail: "smtp" | "files" };

type Props = {
  texts: { heading: string; pitch: string; image: Image };
  result?: Subscribed | Refusal | undefined;
};

export function NewsletterPage({ texts, result }: Props) {
  return (
    <NewsletterLayout heading={texts.heading} image={texts.image}>
      {result?.kind === "subscribed" ? (
        <PendingMessage {...result} />
      ) : (
        <Invitation pitch={texts.pitch} refused={result} />
      )}
    </NewsletterLayout>
  );
}

/** All pages about the letter look alike: words beside its picture. */
export function NewsletterLayout({
  heading,
  image,
  children,
}: {
  heading: string;
  image: Image;
  children: ReactNode;
}) {
  return (
    <div className="page grid grid-cols-1 items-start gap-10 pt-10 md:grid-cols-2 lg:pt-16">
      <div>
        <h1 className="kicker text-4xl md:text-5xl">{heading}</h1>
        {children}
      </div>
      <CityImage image={image} className="rounded-sm" />
    </div>
  );
}

/** What came of a form is read out, and is where the keyboard goes on. */
export function StatusMessage({ children }: { children: ReactNode }) {
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => answer.current?.focus({ preventScroll: true }), []);
  return (
    <div ref={answer} tabIndex={-1} role="status" className="mt-4 space-y-4 outline-none">
      {children}
    </div>
  );
}

function PendingMessage({ email, mail }: Subscribed) {
  return (
    <StatusMessage>
      <p className="text-lg">
        Thank you. <strong className="break-all">{email}</strong> is on our list, and a confirmation
        is pending.
      </p>
      {mail === "smtp" ? (
        <p>
          We are sending you one e-mail that asks whether it was really you. Please press the button
          in it. Nothing there within a few minutes? Look among the unwanted mail. We ask an address
          once a day at most.
        </p>
      ) : (
        <p>
          To be honest: no mail server is set up for this site yet, so the e-mail that asks whether
          it was really you is written but cannot reach you. It waits with us, and so does your
          address.
        </p>
      )}
      <p className="text-ink-soft">
        Until you say yes you get nothing else, and if you never do, we delete the address after{" "}
        {pendingLifetimeDays} days.
      </p>
    </StatusMessage>
  );
}

function Invitation({ pitch, refused }: { pitch: string; refused: Refusal | undefined }) {
  return (
    <>
      <p className="mt-4 mb-6 text-lg">{pitch}</p>
      <NewsletterForm
        id="email"
        typed={refused?.typed.email}
        error={refused?.errors.email ?? refused?.summary}
      />
    </>
  );
}

import { Form, Link } from "react-router";
import type { Image } from "../../../lib/site/site-fields.server.ts";
import { confirmPath, type LinkState, linkLifetimeDays } from "../model.ts";
import { NewsletterForm } from "./newsletter-form.tsx";
import { NewsletterLayout, StatusMessage } from "./newsletter-page.tsx";

type Props = {
  texts: { heading: string; button: string; image: Image };
  token: string;
  link: LinkState;
  /** What came of pressing the button. */
  result: "confirmed" | LinkState | undefined;
};

/**
 * Opened by a link in a mail, also by programs that look through mails; so it only asks, and a
 * button answers.
 */
export function ConfirmPage({ texts, token, link, result }: Props) {
  return (
    <NewsletterLayout heading={texts.heading} image={texts.image}>
      {result === "confirmed" ? (
        <StatusMessage>
          <p className="text-lg">Done: the letter comes to you from now on, once a week.</p>
          <p className="text-ink-soft">
            Every letter has a link at its end that stops it with one click.
          </p>
          <p>
            Until the first one, here is <TextLink to="/news">today's news</TextLink> and{" "}
            <TextLink to="/events">what is on</TextLink>.
          </p>
        </StatusMessage>
      ) : (
        <ConfirmForm state={result ?? link} token={token} button={texts.button} />
      )}
    </NewsletterLayout>
  );
}

function ConfirmForm({
  state,
  token,
  button,
}: {
  state: LinkState;
  token: string;
  button: string;
}) {
  if (state === "used")
    return (
      <StatusMessage>
        <p className="text-lg">
          This link has done its work: your address is confirmed, and the letter comes.
        </p>
        <p>
          There is nothing left to do. On to <TextLink to="/news">today's news</TextLink>?
        </p>
      </StatusMessage>
    );
  if (state === "good")
    return (
      <>
        <p className="mt-4 mb-6 text-lg">One press, and the letter comes to you once a week.</p>
        <Form method="post" action={`${confirmPath}?token=${encodeURIComponent(token)}`}>
          <button type="submit" className="button button-gold">
            {button}
          </button>
        </Form>
        <p className="mt-6 text-ink-soft">
          It was not you? Then close this page. Nothing is sent to the address, and we delete it.
        </p>
      </>
    );
  return (
    <>
      <p className="mt-4 text-lg">
        {state === "expired"
          ? `This link is older than ${linkLifetimeDays} days and no longer works.`
          : "We do not know this link. It may be cut off, or a newer mail has taken its place."}
      </p>
      <p className="mt-4 mb-6">Enter your address again, and we send you a new one.</p>
      <NewsletterForm id="email" />
    </>
  );
}

const TextLink = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className="text-link">
    {children}
  </Link>
);

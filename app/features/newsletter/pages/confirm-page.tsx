import { Form } from "react-router";
import type { Image } from "../../../site-files/site-fields.server.ts";
import { useHasPage } from "../../../ui/hooks/use-has-page.ts";
import { Link } from "../../../ui/link.tsx";
import { FormResult } from "../../forms/form-result.tsx";
import { confirmPath, type LinkState, linkLifetimeDays } from "../model.ts";
import { NewsletterForm } from "./newsletter-form.tsx";
import { NewsletterLayout } from "./newsletter-page.tsx";

type Props = {
  texts: { heading: string; button: string; image: Image };
  token: string;
  link: LinkState;
  result: "confirmed" | LinkState | undefined;
};

/**
 * Programs that scan emails open the link in a confirmation email too. So this page only asks, and
 * the reader confirms with a button.
 */
export function ConfirmPage({ texts, token, link, result }: Props) {
  const hasPage = useHasPage();
  return (
    <NewsletterLayout heading={texts.heading} image={texts.image}>
      {result === "confirmed" ? (
        <FormResult>
          <p className="text-lg">You are subscribed. The newsletter arrives once a week.</p>
          <p className="text-ink-soft">To unsubscribe, use the link at the end of any issue.</p>
          <p>
            Until the first issue arrives, read <TextLink to="/news">today’s news</TextLink>
            {hasPage("/events") && (
              <>
                {" "}
                or see the <TextLink to="/events">upcoming events</TextLink>
              </>
            )}
            .
          </p>
        </FormResult>
      ) : (
        <ConfirmForm state={result ?? link} token={token} button={texts.button} />
      )}
    </NewsletterLayout>
  );
}

type FormProps = { state: LinkState; token: string; button: string };

function ConfirmForm({ state, token, button }: FormProps) {
  if (state === "used")
    return (
      <FormResult>
        <p className="text-lg">
          You have already used this link. Your email address is confirmed, and you are subscribed.
        </p>
        <p>
          There is nothing left to do. Would you like to read{" "}
          <TextLink to="/news">today’s news</TextLink>?
        </p>
      </FormResult>
    );
  if (state === "good")
    return (
      <>
        <p className="mt-4 mb-6 text-lg">Press the button to get the newsletter once a week.</p>
        <Form method="post" action={`${confirmPath}?token=${encodeURIComponent(token)}`}>
          <button type="submit" className="button button-gold">
            {button}
          </button>
        </Form>
        <p className="mt-6 text-ink-soft">
          Not you? Just close this page. We will not send the newsletter, and we will delete the
          email address.
        </p>
      </>
    );
  return (
    <>
      <p className="mt-4 text-lg">
        {state === "expired"
          ? `This link is older than ${linkLifetimeDays} days and no longer works.`
          : "We do not recognize this link. It may be incomplete, or a newer email may have replaced it."}
      </p>
      <p className="mt-4 mb-6">Enter your email address again, and we will send you a new link.</p>
      <NewsletterForm id="email" />
    </>
  );
}

const TextLink = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className="text-link">
    {children}
  </Link>
);

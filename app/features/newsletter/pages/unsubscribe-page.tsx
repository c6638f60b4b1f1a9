import { Form } from "react-router";
import type { Image } from "../../../lib/site/site-fields.server.ts";
import { unsubscribePath } from "../model.ts";
import { NewsletterForm } from "./newsletter-form.tsx";
import { NewsletterLayout, StatusMessage } from "./newsletter-page.tsx";

type Props = {
  texts: { heading: string; image: Image; email: string };
  token: string;
  isValidLink: boolean;
  isUnsubscribed: boolean;
};

export function UnsubscribePage({ texts, token, isValidLink, isUnsubscribed }: Props) {
  return (
    <NewsletterLayout heading={texts.heading} image={texts.image}>
      {isUnsubscribed ? (
        <UnsubscribedMessage />
      ) : isValidLink ? (
        <>
          <p className="mt-4 mb-6 text-lg">One press ends the letter and deletes your address.</p>
          <Form method="post" action={`${unsubscribePath}?token=${encodeURIComponent(token)}`}>
            <button type="submit" className="button button-gold">
              End the letter
            </button>
          </Form>
        </>
      ) : (
        <>
          <p className="mt-4 text-lg">We do not know this link. It may be cut off at its end.</p>
          <p className="mt-4">
            Please use the whole link from your letter, or write to{" "}
            <a href={`mailto:${texts.email}`} className="text-link break-all">
              {texts.email}
            </a>{" "}
            from your address, and we end it for you.
          </p>
        </>
      )}
    </NewsletterLayout>
  );
}

function UnsubscribedMessage() {
  return (
    <>
      <StatusMessage>
        <p className="text-lg">Done: no more letters, and your address is deleted.</p>
        <p className="text-ink-soft">
          A letter that left this very minute may still arrive. It would be the last.
        </p>
      </StatusMessage>
      <p className="mt-8 mb-4">
        Pressed by mistake? Sign up again, and confirm once more. We ask an address once a day at
        most, so the question may come tomorrow.
      </p>
      <NewsletterForm id="email" />
    </>
  );
}

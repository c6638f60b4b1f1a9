import { Form } from "react-router";
import type { Image } from "../../../site-files/site-fields.server.ts";
import { FormResult } from "../../forms/form-result.tsx";
import { unsubscribePath } from "../model.ts";
import { NewsletterForm } from "./newsletter-form.tsx";
import { NewsletterLayout } from "./newsletter-page.tsx";

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
          <p className="mt-4 mb-6 text-lg">
            Press the button to unsubscribe. We will also delete your email address.
          </p>
          <Form method="post" action={`${unsubscribePath}?token=${encodeURIComponent(token)}`}>
            <button type="submit" className="button button-gold">
              Unsubscribe
            </button>
          </Form>
        </>
      ) : (
        <>
          <p className="mt-4 text-lg">We do not recognize this link. It may be incomplete.</p>
          <p className="mt-4">
            Please use the complete link from your newsletter, or write to{" "}
            <a href={`mailto:${texts.email}`} className="text-link break-all">
              {texts.email}
            </a>{" "}
            from your email address, and we will unsubscribe you.
          </p>
        </>
      )}
    </NewsletterLayout>
  );
}

function UnsubscribedMessage() {
  return (
    <>
      <FormResult>
        <p className="text-lg">You are unsubscribed, and your email address is deleted.</p>
        <p className="text-ink-soft">
          A newsletter that was sent in the last few minutes may still arrive. It will be the last
          one.
        </p>
      </FormResult>
      <p className="mt-8 mb-4">
        Was this a mistake? Subscribe and confirm again. We send at most one confirmation email per
        day, so it may arrive tomorrow.
      </p>
      <NewsletterForm id="email" />
    </>
  );
}

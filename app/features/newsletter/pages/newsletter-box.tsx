import { NewsletterForm } from "./newsletter-form.tsx";

/** The newsletter form with an invitation, for the end of a post. */
export function NewsletterBox({ texts }: { texts: { heading: string; pitch: string } }) {
  return (
    // This is not a landmark, because the footer has one with the same name.
    <div className="panel flex flex-col items-center p-6 text-center">
      <h2 className="text-2xl md:text-3xl">{texts.heading}</h2>
      <p className="mt-2 mb-4 max-w-md text-ink-soft">{texts.pitch}</p>
      <div className="w-full max-w-md text-left">
        <NewsletterForm id="newsletter-box-email" />
      </div>
    </div>
  );
}

import type { ReactNode } from "react";
import type { Image } from "../../../site-files/site-fields.server.ts";
import { AnyLink } from "../../../ui/any-link.tsx";
import { CityImage } from "../../../ui/city-image.tsx";
import { Link } from "../../../ui/link.tsx";
import { FormResult } from "../../forms/form-result.tsx";
import type { Refusal } from "../../forms/model.ts";
import { pendingRetentionDays, type ShownIssue, type ShownItem } from "../model.ts";
import { NewsletterForm } from "./newsletter-form.tsx";

export type Subscribed = { kind: "subscribed"; email: string; mail: "smtp" | "files" };

type Props = {
  texts: { heading: string; pitch: string; image: Image };
  issue: ShownIssue | null;
  result?: Subscribed | Refusal | undefined;
};

export function NewsletterPage({ texts, issue, result }: Props) {
  // After they have sent the form, readers look for its result and not for the issue.
  if (issue && !result) return <InvitationWithIssue texts={texts} issue={issue} />;
  return (
    <NewsletterLayout heading={texts.heading} image={texts.image}>
      {result?.kind === "subscribed" ? (
        <PendingMessage {...result} />
      ) : (
        <>
          <p className="mt-4 mb-6 text-lg">{texts.pitch}</p>
          <NewsletterForm id="email" refusal={result} />
        </>
      )}
    </NewsletterLayout>
  );
}

type LayoutProps = { heading: string; image: Image; children: ReactNode };

export function NewsletterLayout({ heading, image, children }: LayoutProps) {
  return (
    <div className="page grid grid-cols-1 items-start gap-10 pt-8 md:grid-cols-2 lg:pt-10">
      <div>
        <h1 className="kicker">{heading}</h1>
        {children}
      </div>
      <CityImage sizes="story" image={image} className="rounded-sm" />
    </div>
  );
}

function PendingMessage({ email, mail }: Subscribed) {
  return (
    <FormResult>
      <p className="text-lg">
        Thank you. One more step: a confirmation is pending for{" "}
        <strong className="break-all">{email}</strong>.
      </p>
      {mail === "smtp" ? (
        <p>
          We are sending you an email. Please press the button in it to confirm that it was you. If
          it does not arrive within a few minutes, check your spam folder. We send at most one
          confirmation email per day.
        </p>
      ) : (
        <p>
          This site has no mail server yet, so we cannot send you the confirmation email. We saved
          it, and your email address, on our server.
        </p>
      )}
      <p className="text-ink-soft">
        We will not send you anything else until you confirm. If you do not confirm, we delete your
        email address after {pendingRetentionDays} days.
      </p>
    </FormResult>
  );
}

/** Readers see what they would get before we ask for their email address. */
function InvitationWithIssue({ texts, issue }: { texts: Props["texts"]; issue: ShownIssue }) {
  return (
    <div className="page grid grid-cols-1 items-start gap-x-14 gap-y-10 pt-8 lg:grid-cols-[3fr_2fr] lg:pt-10">
      <div className="min-w-0">
        <h1 className="kicker">{texts.heading}</h1>
        <p className="mt-4 text-lg">{texts.pitch}</p>
        <p className="mt-2 lg:hidden">
          <a href="#subscribe" className="text-link inline-block py-1 font-semibold">
            Subscribe
          </a>
        </p>
        <LatestIssue issue={issue} />
      </div>
      <section
        id="subscribe"
        aria-labelledby="subscribe-heading"
        className="top-header lg:tall:sticky"
      >
        <h2 id="subscribe-heading" className="mb-4 text-2xl">
          Get it by email
        </h2>
        <NewsletterForm id="email" />
        <CityImage image={texts.image} load="later" sizes="card" className="mt-8 rounded-sm" />
      </section>
    </div>
  );
}

/**
 * The number of items of each section that are shown at first, so that the form is not too far
 * down.
 */
const firstItems = 3;

const introductions = {
  issue: "The latest issue",
  brief: "Our first newsletter has not been sent yet. Until then, this is our daily brief",
};

function LatestIssue({ issue }: { issue: ShownIssue }) {
  return (
    <section aria-labelledby="latest-issue" className="sheet mt-6 p-[clamp(1.25rem,4vw,2.5rem)]">
      <p className="text-ink-soft text-sm">{introductions[issue.kind]}</p>
      <h2 id="latest-issue" className="mt-1 text-2xl md:text-3xl">
        {issue.title}
      </h2>
      {issue.sections.map(({ heading, items }) => (
        <section key={heading} className="mt-6 border-line border-t pt-4">
          <h3 className="text-lg">{heading}</h3>
          <Items items={items.slice(0, firstItems)} />
          {items.length > firstItems && (
            <details className="mt-3">
              <summary className="py-1 font-semibold text-accent text-sm">
                {items.length - firstItems} more
              </summary>
              <Items items={items.slice(firstItems)} />
            </details>
          )}
        </section>
      ))}
      {issue.kind === "brief" && (
        <p className="mt-6">
          <Link to="/brief" className="text-link inline-block py-1 font-semibold">
            Read the whole brief
          </Link>
        </p>
      )}
    </section>
  );
}

function Items({ items }: { items: ShownItem[] }) {
  return (
    <ul className="mt-2 space-y-3">
      {items.map((item) => (
        <li key={`${item.to} ${item.title}`}>
          <ItemTitle item={item} />
          {item.line !== "" && <p className="text-ink-soft text-sm">{item.line}</p>}
        </li>
      ))}
    </ul>
  );
}

function ItemTitle({ item: { title, to } }: { item: ShownItem }) {
  if (to === null) return <span className="font-semibold">{title}</span>;
  return (
    <AnyLink to={to} className="text-link inline-block py-0.5 font-semibold">
      {title}
    </AnyLink>
  );
}

import type { ReactNode } from "react";
import type { Contact } from "../brand/contact-file.server.ts";
import type { ContactPageTexts } from "./files.server.ts";

type Props = {
  texts: Pick<ContactPageTexts, "heading" | "intro" | "labels" | "confidential"> & {
    mapTitle: string;
  };
  contact: Contact;
  /** Whether the office is open, such as "Open now, until 5 PM". Null if that is not known. */
  openNow: string | null;
  social: ReactNode;
  form: ReactNode;
  map: ReactNode;
};

export function ContactPage({ texts, contact, openNow, social, form, map }: Props) {
  const { labels, confidential } = texts;
  const phoneLink = (number: string) => (
    <a
      href={`tel:${contact.countryCode}${number.replaceAll("-", "")}`}
      className="text-link inline-block py-0.5"
    >
      {number}
    </a>
  );
  const emailLink = (address: string) => (
    <a href={`mailto:${address}`} className="text-link inline-block py-0.5 break-all">
      {address}
    </a>
  );
  return (
    <div className="page pt-8 lg:pt-10">
      <h1 className="kicker">{texts.heading}</h1>
      <p className="mt-4 max-w-2xl text-ink-soft text-xl">{texts.intro}</p>
      <div className="mt-10 grid items-start gap-10 lg:grid-cols-[1fr_1.4fr] lg:gap-16">
        <div>
          <dl className="grid gap-5 sm:grid-cols-2 lg:grid-cols-1">
            <Detail label={labels.email}>{emailLink(contact.email)}</Detail>
            <Detail label={labels.tips}>{emailLink(contact.tips)}</Detail>
            {contact.office && <Detail label={labels.office}>{phoneLink(contact.office)}</Detail>}
            {contact.newsDesk && (
              <Detail label={labels.newsDesk}>{phoneLink(contact.newsDesk)}</Detail>
            )}
            {contact.address && (
              <Detail label={labels.address}>
                {contact.address.street}
                <br />
                {contact.address.city}
              </Detail>
            )}
            {contact.hours && (
              <Detail label={labels.hours}>
                {contact.hours}
                {openNow && (
                  <>
                    <br />
                    <span className="text-ink-soft text-sm">{openNow}</span>
                  </>
                )}
              </Detail>
            )}
            {social && <Detail label={labels.social}>{social}</Detail>}
          </dl>
        </div>
        {/* Links on other pages lead to the form. */}
        <div id="message">{form}</div>
      </div>
      <section
        className="mt-16 grid gap-6 border-line border-t pt-10 lg:grid-cols-[1fr_2fr]"
        aria-labelledby="confidential"
      >
        <h2 id="confidential" className="text-3xl">
          {confidential.heading}
        </h2>
        <div className="max-w-2xl space-y-4 text-lg">
          {confidential.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </section>
      <section className="mt-16" aria-labelledby="map">
        <h2 id="map" className="mb-5 text-3xl">
          {texts.mapTitle}
        </h2>
        {map}
      </section>
    </div>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="border-line border-l-4 pl-4">
      <dt className="font-semibold text-ink-soft text-sm">{label}</dt>
      <dd className="mt-0.5 text-lg">{children}</dd>
    </div>
  );
}

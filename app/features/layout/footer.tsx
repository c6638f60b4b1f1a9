import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { linkToEdition } from "../../edition/edition.ts";
import { ExternalLink } from "../../ui/external-link.tsx";
import { Link, NavLink } from "../../ui/link.tsx";
import { NewsletterForm } from "../newsletter/pages/newsletter-form.tsx";
import type { LayoutContent, Navigation } from "./files.server.ts";
import { SocialLinks } from "./social-links.tsx";

/** On phones, the columns and the last line of links are closed until the reader opens them. */
export function Footer({ content }: { content: LayoutContent }) {
  const { brand, navigation, contact, newsletter, donationUrl, years } = content;
  const { menu, footer: links } = navigation;
  const { pathname, search } = useLocation();
  const [mailbox = "", domain = ""] = contact.email.split("@");
  return (
    <footer className="navy no-print mt-24 border-gold border-t-4">
      <div className="page footer-grid">
        <section
          aria-labelledby="footer-newsletter"
          className="max-md:mb-4 md:col-span-full xl:col-span-1"
        >
          <h2 id="footer-newsletter" className="text-2xl">
            {newsletter.heading}
          </h2>
          <p className="mt-1 mb-3 max-w-sm text-on-navy-soft max-md:text-sm md:mt-2 md:mb-4">
            {newsletter.pitch}
          </p>
          {/* The key resets the form on every page, so that no sent email address stays in it. */}
          <NewsletterForm key={pathname} id="footer-email" />
        </section>
        <Fold title="Quick Links">
          <PageLinks links={links.quick} />
        </Fold>
        {links.sections.length > 0 && (
          <Fold title="News Sections">
            <PageLinks links={links.sections} />
          </Fold>
        )}
        <Fold title="Contact">
          <address className="flex flex-col text-on-navy-soft not-italic">
            <a className="footer-link" href={`mailto:${contact.email}`}>
              {mailbox}@<wbr />
              {domain}
            </a>
            {contact.office && (
              <a className="footer-link" href={`tel:${contact.countryCode}-${contact.office}`}>
                {contact.office}
              </a>
            )}
            {contact.address && (
              <span className="py-1">
                {contact.address.street}
                <br />
                {contact.address.city}
              </span>
            )}
            {contact.hours && <span className="py-1">{contact.hours}</span>}
          </address>
        </Fold>
        {brand.sisters.length > 0 && (
          <Fold title="Partner Sites">
            <ul>
              {brand.sisters.map(({ id, name, url }) => (
                <li key={id}>
                  <ExternalLink href={url} className="footer-link">
                    {name}
                  </ExternalLink>
                </li>
              ))}
            </ul>
          </Fold>
        )}
      </div>
      <div className="border-navy-line md:border-t">
        <div className="page head-row pb-4 md:pt-4">
          <Fold title="More">
            <ul className="-mx-2 flex flex-wrap text-sm">
              {[...menu, ...links.more].map(({ label, to }) => (
                <li key={to}>
                  {/* The router cannot show files such as /feeds.opml: the browser loads them. */}
                  <Link to={to} reloadDocument={to.includes(".")} className="footer-link px-2">
                    {label}
                  </Link>
                </li>
              ))}
              <li className="full-only">
                <a href={linkToEdition(search, "light")} className="footer-link px-2">
                  Low-data edition
                </a>
              </li>
              {donationUrl && (
                <li>
                  <ExternalLink href={donationUrl} className="footer-link px-2">
                    Donate
                  </ExternalLink>
                </li>
              )}
            </ul>
          </Fold>
          <SocialLinks accounts={brand.social} className="-mx-2.5" />
          <p className="w-full text-on-navy-soft text-sm">
            © {years} {brand.name}, part of the {brand.network} network. {brand.tagline}
          </p>
        </div>
      </div>
    </footer>
  );
}

function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="footer-fold">
      <summary className="fold">
        <h2 className="footer-heading">{title}</h2>
      </summary>
      {children}
    </details>
  );
}

function PageLinks({ links }: { links: Navigation["footer"]["quick"] }) {
  return (
    <ul>
      {links.map(({ label, to }) => (
        <li key={to}>
          <NavLink to={to} end className="footer-link">
            {label}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}

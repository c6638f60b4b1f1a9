import type { ReactNode } from "react";
import { Link, NavLink, useLocation } from "react-router";
import { linkToEdition } from "../../edition/edition.ts";
import { ExternalLink } from "../../ui/external-link.tsx";
import type { Contact } from "../brand/contact-file.server.ts";
import type { SocialAccount } from "../brand/files.server.ts";
import type { NewsletterTexts } from "../newsletter/files.server.ts";
import { NewsletterForm } from "../newsletter/pages/newsletter-form.tsx";
import type { Navigation } from "./files.server.ts";
import { SocialLinks } from "./social-links.tsx";

type Props = {
  brand: { name: string; network: string; tagline: string; social: SocialAccount[] };
  links: Navigation["footer"];
  contact: Contact;
  newsletter: Pick<NewsletterTexts, "heading" | "pitch">;
  donationUrl: string;
  years: string;
};

export function Footer({ brand, links, contact, newsletter, donationUrl, years }: Props) {
  const { pathname, search } = useLocation();
  const [mailbox = "", domain = ""] = contact.email.split("@");
  return (
    <footer className="navy no-print mt-24 border-gold border-t-4">
      <div className="page footer-grid">
        <section aria-labelledby="footer-newsletter" className="col-span-full xl:col-span-1">
          <h2 id="footer-newsletter" className="text-2xl">
            {newsletter.heading}
          </h2>
          <p className="mt-2 mb-4 max-w-sm text-on-navy-soft">{newsletter.pitch}</p>
          {/* The key resets the form on every page, so that it does not keep a sent email address. */}
          <NewsletterForm key={pathname} id="footer-email" />
        </section>
        <Column title="Quick Links">
          <PageLinks links={links.quick} />
        </Column>
        <Column title="News Sections">
          <PageLinks links={links.sections} />
        </Column>
        <Column title={<Link to="/contact">Contact</Link>} wide>
          <address className="flex flex-col text-on-navy-soft not-italic">
            <a className="footer-link" href={`mailto:${contact.email}`}>
              {mailbox}@<wbr />
              {domain}
            </a>
            <a className="footer-link" href={`tel:${contact.countryCode}-${contact.office}`}>
              {contact.office}
            </a>
            <span className="py-1">
              {contact.address.street}
              <br />
              {contact.address.city}
            </span>
            <span className="py-1">{contact.hours}</span>
          </address>
        </Column>
        <Column title="Partner Sites" wide>
          <ul>
            {links.partners.map(({ label, url }) => (
              <li key={url}>
                <ExternalLink href={url} className="footer-link">
                  {label}
                </ExternalLink>
              </li>
            ))}
          </ul>
        </Column>
      </div>
      <div className="border-navy-line border-t">
        <div className="page head-row py-4">
          <ul className="-mx-2 flex flex-wrap text-sm">
            {links.more.map(({ label, to }) => (
              <li key={to}>
                {/* The router cannot show files such as /feeds.opml, so the browser loads them. */}
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
            <li>
              <ExternalLink href={donationUrl} className="footer-link px-2">
                Donate
              </ExternalLink>
            </li>
          </ul>
          <SocialLinks accounts={brand.social} className="-mx-2.5" />
          <p className="w-full text-on-navy-soft text-sm">
            © {years} {brand.name}, part of the {brand.network} network. {brand.tagline}
          </p>
        </div>
      </div>
    </footer>
  );
}

function Column({
  title,
  wide,
  children,
}: {
  title: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={wide ? "col-span-2 md:col-span-1" : undefined}>
      <h2 className="footer-heading">{title}</h2>
      {children}
    </section>
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

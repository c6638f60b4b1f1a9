import { CityImage } from "../../ui/city-image.tsx";
import { ExternalLink } from "../../ui/external-link.tsx";
import { Link } from "../../ui/link.tsx";
import { SectionHead } from "../../ui/section-head.tsx";
import { Embed } from "../embeds/embed.tsx";
import type { DocumentCard, ShownPlace } from "./files.server.ts";

type Props = {
  hero: { heading: string; text: string };
  section: { heading: string; text: string };
  documents: DocumentCard[];
  visit: { heading: string; items: ShownPlace[] } | undefined;
};

export function PartnersPage({ hero, section, documents, visit }: Props) {
  return (
    <>
      <section className="navy">
        <div className="page py-10 md:py-16">
          <h1 className="kicker">{hero.heading}</h1>
          <p className="mt-4 max-w-3xl text-lg text-on-navy-soft md:text-xl">{hero.text}</p>
        </div>
      </section>
      {documents.length > 0 && (
        <section className="page mt-14 lg:mt-20" aria-labelledby="documents">
          <SectionHead id="documents" title={section.heading} />
          <p className="mt-3 max-w-2xl text-ink-soft text-lg">{section.text}</p>
          <ul className="mt-8 grid gap-8 md:grid-cols-3">
            {documents.map((item) => (
              <li key={item.id} className="card">
                {item.preview.kind === "image" ? (
                  <CityImage
                    image={item.preview.image}
                    load="later"
                    sizes="card"
                    className="aspect-4/3 w-full border-line border-b object-cover object-top"
                  />
                ) : (
                  <Embed content={item.preview.embed} className="aspect-4/3" />
                )}
                <div className="card-body">
                  <h3 className="text-2xl">{item.title}</h3>
                  <p className="mt-1 text-ink-soft">{item.subject}</p>
                  <div className="mt-auto flex flex-wrap gap-3 pt-5">
                    <ExternalLink href={item.view} className="button button-gold">
                      View Full Document<span className="sr-only">: {item.subject}</span>
                    </ExternalLink>
                    <a href={item.download} className="button button-plain" download>
                      Download<span className="sr-only">: {item.subject}</span>
                    </a>
                  </div>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {visit && (
        <section className="page mt-14 lg:mt-20" aria-labelledby="visit">
          <SectionHead id="visit" title={visit.heading} />
          <ul className="mt-6 grid gap-x-10 md:grid-cols-2">
            {visit.items.map(({ name, address, hours, link, openNow }) => (
              <li key={name} className="border-line border-b py-4">
                <h3 className="text-xl">
                  {link ? (
                    <ExternalLink href={link} className="text-link">
                      {name}
                    </ExternalLink>
                  ) : (
                    name
                  )}
                </h3>
                <p className="mt-1">{address}</p>
                <p className="text-ink-soft text-sm">
                  {hours}
                  {openNow && <br />}
                  {openNow}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {documents.length === 0 && !visit && (
        <p className="page mt-14 text-lg lg:mt-20">
          Would your organization like to work with us?{" "}
          <Link to="/contact" className="text-link font-semibold">
            Contact Us
          </Link>
        </p>
      )}
    </>
  );
}

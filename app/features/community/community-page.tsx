import type { ReactNode } from "react";
import { ExternalLink } from "../../ui/external-link.tsx";
import { Link } from "../../ui/link.tsx";
import { SectionHead } from "../../ui/section-head.tsx";
import { submitPath } from "../stories/readers/model.ts";
import type { Community } from "./files.server.ts";

type ShownListing = {
  id: string;
  title: string;
  organization: string;
  text: string;
  commitment: string;
  link: string;
  /** A short note below the listing, such as "Checked November 12". */
  note: string | null;
};

type Props = {
  texts: Pick<Community, "hero"> & {
    stories: Omit<Community["stories"], "items">;
    volunteer: Omit<Community["volunteer"], "items"> & { items: ShownListing[] };
    resources: Omit<Community["resources"], "groups"> & {
      groups: { name: string; links: ShownListing[] }[];
    };
  };
  heroImage: ReactNode;
  stories: ReactNode;
};

export function CommunityPage({ texts, heroImage, stories }: Props) {
  const { hero, volunteer, resources } = texts;
  return (
    <>
      <section className="navy">
        <div className="page grid items-center gap-8 py-10 md:grid-cols-2 md:py-14 lg:gap-14">
          <div>
            <h1 className="kicker">{hero.heading}</h1>
            <p className="mt-4 text-lg text-on-navy-soft md:text-xl">{hero.text}</p>
            <p className="mt-7">
              <a href="#volunteer" className="button button-gold">
                Volunteer Today
              </a>
            </p>
          </div>
          {heroImage}
        </div>
      </section>

      <section className="page mt-14 lg:mt-20" aria-labelledby="local-stories">
        <SectionHead id="local-stories" title={texts.stories.heading} />
        <p className="mt-3 max-w-2xl text-ink-soft text-lg">{texts.stories.text}</p>
        {stories}
        <p className="mt-8">
          <Link to={submitPath} className="button button-gold">
            Submit Your Story
          </Link>
        </p>
      </section>

      <section
        id="volunteer"
        tabIndex={-1}
        className="mt-16 bg-sunken outline-none lg:mt-24"
        aria-labelledby="volunteer-heading"
      >
        <div className="page py-14 lg:py-20">
          <SectionHead id="volunteer-heading" title={volunteer.heading} />
          {volunteer.items.length > 0 && (
            <p className="mt-3 max-w-2xl text-ink-soft text-lg">{volunteer.text}</p>
          )}
          <ul className="mt-8 grid gap-6 empty:hidden md:grid-cols-2 lg:gap-8">
            {volunteer.items.map((item) => (
              <li key={item.id} className="card border-t-4 border-t-gold">
                <div className="card-body">
                  <h3 className="text-2xl">{item.title}</h3>
                  {item.organization && (
                    <p className="mt-1 font-semibold text-crab">{item.organization}</p>
                  )}
                  <p className="mt-3">{item.text}</p>
                  {item.commitment && (
                    <p className="mt-3 text-ink-soft text-sm">
                      <strong className="font-semibold">Commitment:</strong> {item.commitment}
                    </p>
                  )}
                  {item.note && <p className="mt-1 text-ink-soft text-sm">{item.note}</p>}
                  <p className="mt-auto pt-4">
                    <ExternalLink href={item.link} className="cover-link card-link">
                      Learn more
                      <span className="sr-only"> about {item.organization || item.title}</span>
                    </ExternalLink>
                  </p>
                </div>
              </li>
            ))}
          </ul>
          <div className="mt-10 flex flex-wrap items-center gap-x-8 gap-y-4">
            <p className="max-w-xl text-lg">{volunteer.list}</p>
            <Link to="/contact" className="button button-plain">
              List Your Organization
            </Link>
          </div>
        </div>
      </section>

      {resources.groups.length > 0 && (
        <section className="page mt-16 lg:mt-24" aria-labelledby="resources">
          <SectionHead id="resources" title={resources.heading} />
          <p className="mt-3 max-w-2xl text-ink-soft text-lg">{resources.text}</p>
          <div className="mt-8 grid gap-10 lg:grid-cols-3">
            {resources.groups.map((group) => (
              <div key={group.name}>
                <h3 className="border-ink border-b-2 pb-1.5 text-lg">{group.name}</h3>
                <ul>
                  {group.links.map(({ id, title, link, text, note }) => (
                    <li key={id} className="border-line border-b py-2.5">
                      <ExternalLink
                        href={link}
                        className="text-link inline-block py-1 font-semibold"
                      >
                        {title}
                      </ExternalLink>
                      <p className="text-ink-soft text-sm">{text}</p>
                      {note && <p className="text-ink-soft text-sm">{note}</p>}
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </div>
        </section>
      )}
    </>
  );
}

import { CityImage } from "../../ui/city-image.tsx";
import { ExternalLink } from "../../ui/external-link.tsx";
import { Link } from "../../ui/link.tsx";
import type { About } from "./files.server.ts";

export function AboutPage({ about, donateUrl }: { about: About; donateUrl: string | undefined }) {
  const { image, mission, story, team, values, support } = about;
  const [lead, ...paragraphs] = mission.paragraphs;
  return (
    <>
      <div className="page pt-8 lg:pt-10">
        <h1 className="kicker">{about.heading}</h1>
        <div className="mt-8 grid items-start gap-8 lg:mt-12 lg:grid-cols-[1.25fr_1fr] lg:gap-14">
          <CityImage image={image} load="first" sizes="story" className="w-full rounded-sm" />
          <section>
            <h2 className="font-sans font-semibold text-crab text-sm uppercase tracking-[0.1em]">
              {mission.heading}
            </h2>
            <p className="mt-3 font-medium font-serif text-2xl leading-snug">{lead}</p>
            {paragraphs.map((paragraph) => (
              <p key={paragraph} className="mt-4 text-ink-soft text-lg">
                {paragraph}
              </p>
            ))}
          </section>
        </div>
      </div>

      <div className="page mt-16 lg:mt-24">
        <div className="grid gap-8 border-line border-t pt-12 lg:grid-cols-[1fr_2fr] lg:gap-14">
          <div>
            <h2 className="text-3xl md:text-4xl">{story.heading}</h2>
            <p className="mt-3 inline-block bg-gold px-3 py-1 font-semibold text-on-gold text-sm">
              {story.founded}
            </p>
          </div>
          <div className="max-w-2xl space-y-5 text-lg">
            {story.paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </div>
      </div>

      {team && (
        <div className="page mt-16 lg:mt-24">
          <h2 id="team" className="border-line border-t pt-12 text-3xl md:text-4xl">
            {team.heading}
          </h2>
          <ul className="mt-8 grid grid-cols-1 gap-x-10 gap-y-8 md:grid-cols-3">
            {team.members.map((member) => (
              <li key={member.id} id={member.id} className="flex gap-4 md:block">
                <span
                  aria-hidden="true"
                  className="navy grid size-14 shrink-0 place-items-center rounded-full font-semibold font-serif text-xl"
                >
                  {initials(member.name)}
                </span>
                <div className="min-w-0">
                  <h3 className="text-2xl md:mt-4">{member.name}</h3>
                  <p className="mt-1 font-semibold text-crab text-sm">{member.role}</p>
                  <p className="mt-2 text-ink-soft">{member.text}</p>
                </div>
              </li>
            ))}
          </ul>
        </div>
      )}

      <div className="mt-16 bg-sunken lg:mt-24">
        <div className="page py-14 lg:py-20">
          <h2 className="text-3xl md:text-4xl">{values.heading}</h2>
          <dl className="mt-8 grid grid-cols-1 gap-x-10 gap-y-8 md:grid-cols-3">
            {values.items.map((value) => (
              <div key={value.name} className="border-gold border-t-4 pt-4">
                <dt className="font-semibold font-serif text-2xl">{value.name}</dt>
                <dd className="mt-2">
                  {value.text}
                  {value.link && (
                    <>
                      {" "}
                      <Link to={value.link.to} className="text-link">
                        {value.link.label}
                      </Link>
                    </>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      </div>

      <section className="page mt-16 lg:mt-20" aria-labelledby="support">
        <div className="navy rounded-sm px-6 py-10 md:px-12 md:py-14">
          <h2 id="support" className="kicker text-3xl md:text-4xl">
            {support.heading}
          </h2>
          <p className="mt-4 max-w-2xl text-lg text-on-navy-soft">{support.text}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <Link to="/contact" className="button button-outline">
              Contact Us
            </Link>
            {donateUrl && (
              <ExternalLink href={donateUrl} className="button button-gold">
                Donate Now
              </ExternalLink>
            )}
          </div>
        </div>
      </section>
    </>
  );
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .join("")
    .slice(0, 2);

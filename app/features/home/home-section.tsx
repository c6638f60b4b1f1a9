import type { ReactNode } from "react";
import type { PageLink } from "../../site-files/site-fields.server.ts";
import { CityImage } from "../../ui/city-image.tsx";
import { ExternalLink } from "../../ui/external-link.tsx";
import { SectionHead } from "../../ui/section-head.tsx";
import type { Home } from "./files.server.ts";

type Props = { id: string; title: string; link?: PageLink; children: ReactNode };

export function HomeSection({ id, title, link, children }: Props) {
  return (
    <section className="page mt-14 lg:mt-20" aria-labelledby={id}>
      <SectionHead id={id} title={title} {...(link ? { link } : {})} />
      {children}
    </section>
  );
}

export function DidYouKnow({ fact }: { fact: NonNullable<Home["fact"]> }) {
  const { image, link } = fact;
  return (
    <section className="page mt-16 lg:mt-20" aria-labelledby="did-you-know">
      <div className="panel grid grid-cols-1 overflow-hidden md:grid-cols-[2fr_3fr]">
        <CityImage image={image} load="later" sizes="card" className="h-full w-full object-cover" />
        <div className="p-6 md:p-10 lg:p-12">
          <h2 id="did-you-know" className="kicker text-2xl">
            Did You Know?
          </h2>
          <p className="mt-4 text-lg">{fact.text}</p>
          <p className="mt-6">
            <ExternalLink href={link.url} className="text-link inline-block py-0.5 font-semibold">
              {link.label}
            </ExternalLink>
          </p>
        </div>
      </div>
    </section>
  );
}

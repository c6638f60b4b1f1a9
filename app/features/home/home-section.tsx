import type { ReactNode } from "react";
import type { PageLink } from "../../site-files/site-fields.server.ts";
import { SectionHead } from "../../ui/section-head.tsx";

type Props = { id: string; title: string; link?: PageLink; children: ReactNode };

export function HomeSection({ id, title, link, children }: Props) {
  return (
    <section className="page mt-14 lg:mt-20" aria-labelledby={id}>
      <SectionHead id={id} title={title} {...(link ? { link } : {})} />
      {children}
    </section>
  );
}

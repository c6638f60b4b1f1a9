import { ExternalLink } from "../../ui/external-link.tsx";
import { useBrokenImage } from "../../ui/hooks/use-broken-image.ts";
import { Link } from "../../ui/link.tsx";
import type { BookCard, Books } from "./files.server.ts";

type Props = {
  texts: Pick<Books, "heading" | "intro" | "author" | "banner">;
  hasAffiliateTag: boolean;
  authorLink: string;
  cards: BookCard[];
  siteName: string;
};

export function BooksPage({ texts, hasAffiliateTag, authorLink, cards, siteName }: Props) {
  const { banner } = texts;
  return (
    <>
      <header className="page py-5">
        <Link to="/" className="text-link inline-block py-0.5 font-semibold">
          ← Back to {siteName}
        </Link>
      </header>
      <main className="pb-20">
        <section className="navy" aria-label={banner.name}>
          <div className="page flex flex-wrap items-center justify-between gap-x-10 gap-y-5 py-8">
            <div className="max-w-2xl">
              <p className="font-semibold font-serif text-2xl">{banner.name}</p>
              <p className="mt-1 text-on-navy-soft">{banner.text}</p>
            </div>
            <div className="flex flex-wrap gap-3">
              <ExternalLink href={banner.apply} className="button button-gold">
                Apply for Admission
              </ExternalLink>
              <ExternalLink href={banner.learn} className="button button-outline">
                Learn More
              </ExternalLink>
            </div>
          </div>
        </section>
        <div className="page mt-12">
          <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
            <div className="max-w-2xl">
              <h1 className="kicker">{texts.heading}</h1>
              <p className="mt-4 text-ink-soft text-lg">{texts.intro}</p>
            </div>
            <ExternalLink href={authorLink} className="button button-plain">
              {texts.author} on Amazon
            </ExternalLink>
          </div>
          {hasAffiliateTag && (
            <p className="mt-4 text-ink-soft text-sm">
              As an Amazon Associate we earn from qualifying purchases made through the links on
              this page.
            </p>
          )}
          <ul className="mt-10 grid grid-cols-2 gap-x-5 gap-y-8 md:grid-cols-3 lg:grid-cols-4 lg:gap-x-8 xl:grid-cols-5">
            {cards.map((card) => (
              <li key={card.id} id={card.id} className="relative flex flex-col">
                <Cover id={card.id} />
                <h2 className="mt-3 text-lg leading-snug">{card.title}</h2>
                <p className="text-ink-soft text-sm">{card.detail}</p>
                <p className="mt-auto pt-1">
                  <ExternalLink
                    href={card.link}
                    className="text-link inline-block py-1 font-semibold text-sm"
                  >
                    View on Amazon<span className="sr-only">: {card.title}</span>
                  </ExternalLink>
                </p>
              </li>
            ))}
          </ul>
        </div>
      </main>
    </>
  );
}

/** The cover is decorative, because the title is below it. */
function Cover({ id }: { id: string }) {
  const src = `/covers/${id}.svg`;
  const { isBroken, handlers } = useBrokenImage(src);
  return (
    <img
      {...handlers}
      src={isBroken ? "/covers/placeholder.svg" : src}
      alt=""
      width="300"
      height="450"
      loading="lazy"
      className="aspect-2/3 w-full rounded-sm bg-sunken shadow-md"
    />
  );
}

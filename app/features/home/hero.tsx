import { Link } from "react-router";
import { ArtPicture } from "../../ui/art-picture.tsx";
import type { Home } from "./files.server.ts";

export function Hero({ hero }: { hero: Home["hero"] }) {
  return (
    <section className="navy relative min-h-[350px] overflow-hidden bg-night md:min-h-[450px] lg:min-h-[500px]">
      <ArtPicture
        picture={hero.image}
        load="first"
        className="absolute bottom-0 h-[78%] w-full object-cover object-[72%_100%] md:h-full"
      />
      {/* On very wide screens the picture grows up to the words; the night behind them keeps them readable. */}
      <div className="absolute inset-0 hidden bg-linear-to-b from-night via-night/75 via-45% to-75% to-transparent min-[96rem]:block" />
      <div className="page relative flex flex-col items-start py-6 md:pt-12">
        <h1 className="max-w-[24ch] text-[1.75rem] md:text-5xl lg:text-[3.25rem]">{hero.headline}</h1>
        <p className="mt-2 text-on-navy md:mt-3 md:text-xl">{hero.tagline}</p>
        <div className="mt-4 flex flex-wrap gap-3 md:mt-6">
          <Link to="/news" className="button button-gold">
            Latest News
          </Link>
          <Link to="/events" className="button button-outline bg-night">
            Upcoming Events
          </Link>
        </div>
      </div>
    </section>
  );
}

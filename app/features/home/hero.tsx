import { Link } from "react-router";
import { CityImage } from "../../ui/city-image.tsx";
import type { Home } from "./files.server.ts";

/**
 * The drawing lies at the bottom at a fixed scale, whatever the width of the screen, and the words
 * keep a padding of at least its height below them: they never meet, at any width or text size.
 */
export function Hero({ hero }: { hero: Home["hero"] }) {
  return (
    <section className="hero navy">
      <CityImage image={hero.image} load="first" className="hero-image" />
      <div className="page hero-body">
        <h1 className="hero-headline">{hero.headline}</h1>
        <p className="hero-tagline">{hero.tagline}</p>
        <div className="hero-buttons">
          <Link to="/news" className="button button-gold">
            Latest News
          </Link>
          <Link to="/events" className="button button-outline">
            Upcoming Events
          </Link>
        </div>
      </div>
    </section>
  );
}

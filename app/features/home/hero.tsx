import { CityImage } from "../../ui/city-image.tsx";
import { useHasPage } from "../../ui/hooks/use-has-page.ts";
import { Link } from "../../ui/link.tsx";
import type { Home } from "./files.server.ts";

/**
 * The drawing is at the bottom, at a scale that does not depend on the width of the screen. The
 * text has at least the drawing's height as padding below it, so the text and the drawing do not
 * overlap at any screen width or text size.
 */
export function Hero({ hero }: { hero: Home["hero"] }) {
  const hasPage = useHasPage();
  return (
    <section className="hero navy">
      <CityImage image={hero.image} load="first" sizes="page" className="hero-image" />
      <div className="page hero-body">
        <h1 className="hero-headline">{hero.headline}</h1>
        <p className="hero-tagline">{hero.tagline}</p>
        <div className="hero-buttons">
          <Link to="/news" className="button button-gold">
            Latest News
          </Link>
          {hasPage("/events") && (
            <Link to="/events" className="button button-outline">
              Upcoming Events
            </Link>
          )}
        </div>
      </div>
    </section>
  );
}

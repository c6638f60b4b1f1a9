import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import type { Image } from "../../site-files/site-fields.server.ts";
import { CityImage } from "../../ui/city-image.tsx";

export function NotFound({ image }: { image: Image | undefined }) {
  const { pathname } = useLocation();
  useEffect(() => {
    console.warn("404: no page at", pathname);
  }, [pathname]);
  return (
    <div className="page grid grid-cols-1 items-start gap-10 py-16 md:grid-cols-2 lg:py-24">
      <div>
        <h1>
          <span className="block text-8xl text-crab leading-none">404</span>
          <span className="mt-4 block text-3xl md:text-4xl">Oops! Page not found</span>
        </h1>
        <p className="mt-4 max-w-md text-ink-soft text-lg">
          The address may be misspelled, or the page may have moved. Use the menu above to find
          every section, or{" "}
          <Link to="/search" className="text-link">
            search the site
          </Link>
          .
        </p>
        <Link to="/" className="button button-gold mt-8">
          Return to Home Page
        </Link>
      </div>
      {image && <CityImage image={image} className="rounded-sm" />}
    </div>
  );
}

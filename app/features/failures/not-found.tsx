import { useEffect } from "react";
import { useLocation } from "react-router";
import type { Image } from "../../site-files/site-fields.server.ts";
import { CityImage } from "../../ui/city-image.tsx";
import { Link } from "../../ui/link.tsx";
import { TitleBlock, type TitleItem, TitleList } from "../../ui/title-list.tsx";
import { SearchBox } from "../search/pages/search-box.tsx";

type Props = { isGone: boolean; image: Image | undefined; links: TitleItem[] };

export function NotFound({ isGone, image, links }: Props) {
  const { pathname } = useLocation();
  useEffect(() => {
    console.warn(isGone ? "410: no longer a page at" : "404: no page at", pathname);
  }, [isGone, pathname]);
  return (
    <div className="page grid grid-cols-1 items-start gap-10 pt-8 md:grid-cols-2 lg:pt-10">
      <div>
        {isGone ? (
          <h1 className="text-3xl md:text-4xl">No longer available</h1>
        ) : (
          <h1>
            <span className="block whitespace-nowrap text-8xl text-crab leading-none">404</span>
            <span className="mt-4 block text-3xl md:text-4xl">Oops! Page not found</span>
          </h1>
        )}
        <p className="mt-4 mb-6 max-w-md text-ink-soft text-lg">
          {isGone
            ? "This page was taken down. Search for something else, or use the menu above to find every section."
            : "The address may be misspelled, or the page may have moved. Search for it, or use the menu above to find every section."}
        </p>
        <SearchBox label={isGone ? "Search for something else" : "Search for the page"} />
        <Link to="/" className="button button-gold mt-6">
          Return to Home Page
        </Link>
      </div>
      <div>
        {links.length > 0 && (
          <TitleBlock label="Latest news" to="/news">
            <TitleList items={links} />
          </TitleBlock>
        )}
        {image && <CityImage sizes="story" image={image} className="mt-8 rounded-sm first:mt-0" />}
      </div>
    </div>
  );
}

import { CityImage } from "../../../ui/city-image.tsx";
import { Link } from "../../../ui/link.tsx";
import type { BlogItem } from "../model.ts";
import { postPath } from "../paths.ts";
import { PostImage } from "./post-image.tsx";

export function RelatedPosts({ items }: { items: BlogItem[] }) {
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="related-posts" className="mt-12">
      <h2 id="related-posts" className="kicker text-2xl md:text-3xl">
        Read next
      </h2>
      <ul className="mt-5 grid gap-5 md:grid-cols-3">
        {items.map(({ slug, metaTitle, picture: pinImage, image }) => (
          <li key={slug} className="card">
            {image && (
              <CityImage image={{ ...image, alt: "" }} load="later" className="card-image" />
            )}
            {!image && pinImage && (
              <PostImage src={pinImage} width={400} height={225} className="card-image" />
            )}
            <div className="card-body">
              <h3 className="text-lg">
                <Link to={postPath(slug)} className="cover-link">
                  {metaTitle}
                </Link>
              </h3>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

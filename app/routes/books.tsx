import { appContext } from "../context.ts";
import { AlertSlot } from "../features/alerts/banner/alert-slot.tsx";
import { BooksPage } from "../features/books/books-page.tsx";
import { booksFile, bookstoreLinks } from "../features/books/files.server.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/books.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { site } = context.get(appContext);
  const file = site.read(booksFile);
  const { title, description, heading, intro, author, banner } = file;
  return {
    head: { title, description },
    texts: { heading, intro, author, banner },
    hasAffiliateTag: file.affiliateTag !== undefined,
    siteName: site.read(siteSettingsFile).name,
    ...bookstoreLinks(file),
  };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  return pageMeta(root.loaderData.site, { ...loaderData.head, path: "/books" });
}

export default function BooksRoute({ loaderData }: Route.ComponentProps) {
  const { head: _, ...page } = loaderData;
  return (
    <>
      <AlertSlot />
      <BooksPage {...page} />
    </>
  );
}

import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { readOpenNow } from "../features/brand/open-now.server.ts";
import { embedsFile } from "../features/embeds/files.server.ts";
import { documentCard, partnersFile } from "../features/partners/files.server.ts";
import { PartnersPage } from "../features/partners/partners-page.tsx";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/partners.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { site } = services;
  const { title, description, hero, documents, visit } = site.read(partnersFile);
  const { eager } = site.read(embedsFile);
  const content = {
    head: { title, description },
    hero,
    section: { heading: documents.heading, text: documents.text },
    documents: documents.items.map((item) => documentCard(item, eager)),
    visit: visit && {
      heading: visit.heading,
      items: visit.items.map((place) => ({
        ...place,
        openNow: readOpenNow(services, place.hours),
      })),
    },
  };
  const findAdRow = await prepareAdRows(services, "partners", content);
  return { ...content, ads: findAdRow("end") };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  return pageMeta(root.loaderData.site, { ...loaderData.head, path: "/partners" });
}

export default function PartnersRoute({ loaderData }: Route.ComponentProps) {
  const { hero, section, documents, visit, ads } = loaderData;
  return (
    <>
      <PartnersPage hero={hero} section={section} documents={documents} visit={visit} />
      <AdRow row={ads} />
    </>
  );
}

import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { contactFile } from "../features/brand/contact-file.server.ts";
import { siteSettingsFile, toPublisher } from "../features/brand/files.server.ts";
import { FaqPage } from "../features/faq/faq-page.tsx";
import { categoryId, faqFile } from "../features/faq/files.server.ts";
import { geoMeta, pageMeta } from "../ui/seo/meta.ts";
import { faqData, organizationData } from "../ui/seo/structured-data.ts";
import type { Route } from "./+types/faq.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { site } = services;
  const settings = site.read(siteSettingsFile);
  const { title, description, intro, categories } = site.read(faqFile);
  const content = {
    head: { title, description, geo: settings.geo, publisher: toPublisher(settings) },
    title,
    intro,
    email: site.read(contactFile).email,
    categories: categories.map(({ name, questions }) => ({
      id: categoryId(name),
      name,
      entries: questions.map(({ id, question, answer }) => ({ id, question, html: answer })),
    })),
  };
  const findAdRow = await prepareAdRows(services, "faq", content);
  return { ...content, ads: findAdRow("end") };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { head, categories } = loaderData;
  return [
    ...pageMeta(root.loaderData.site, {
      ...head,
      keywords: categories.map(({ name }) => name),
      path: "/faq",
    }),
    ...geoMeta(head.geo),
    ...(import.meta.env.SSR
      ? [faqData(categories.flatMap(({ entries }) => entries)), organizationData(head.publisher)]
      : []),
  ];
}

export default function FaqRoute({ loaderData }: Route.ComponentProps) {
  const { title, intro, categories, email, ads } = loaderData;
  return (
    <>
      <FaqPage title={title} intro={intro} categories={categories} email={email} />
      <AdRow row={ads} />
    </>
  );
}

import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { contactFile } from "../features/brand/contact-file.server.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { readOpenNow } from "../features/brand/open-now.server.ts";
import { ContactPage } from "../features/contact/contact-page.tsx";
import { externalForm, mapEmbed } from "../features/contact/embeds.server.ts";
import { contactPageFile } from "../features/contact/files.server.ts";
import { FormFrame } from "../features/contact/form-frame.tsx";
import { toFramePath } from "../features/contact/model.ts";
import { Embed } from "../features/embeds/embed.tsx";
import { embedsFile } from "../features/embeds/files.server.ts";
import { tipCategory } from "../features/forms/model.ts";
import { SocialLinks } from "../features/layout/social-links.tsx";
import { requireCanonicalUrl } from "../lib/links/canonical-url.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/contact.ts";

/**
 * `?about=/news/x` is the path of the story, post or event that the reader writes about: a mistake
 * in it or, with `category=tip`, what they know about it.
 */
export const handle = { queryParams: ["about", "category"] } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const requested = url.searchParams.get("about");
  const about = requested && (await services.findTitle(requested)) !== null ? requested : null;
  const isTip = about !== null && url.searchParams.get("category") === tipCategory;
  requireCanonicalUrl(url, { about, category: isTip ? tipCategory : null });
  const { site } = services;
  const page = site.read(contactPageFile);
  const { title, description, heading, intro, labels, confidential, form, map } = page;
  const { eager } = site.read(embedsFile);
  const content = {
    head: { title, description },
    texts: { heading, intro, labels, confidential, mapTitle: map.heading },
    contact: site.read(contactFile),
    openNow: readOpenNow(services, site.read(contactFile).hours),
    social: site.read(siteSettingsFile).social,
    formHeading: form.heading,
    framePath: toFramePath(form.preset, about, isTip),
    formEmbed: externalForm(page, eager),
    map: mapEmbed(map, eager),
  };
  const findAdRow = await prepareAdRows(services, "contact", content);
  return { ...content, ads: findAdRow("end") };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  return pageMeta(root.loaderData.site, { ...loaderData.head, path: "/contact" });
}

export default function ContactRoute({ loaderData }: Route.ComponentProps) {
  const { texts, contact, openNow, social, formHeading, framePath, formEmbed, map, ads } =
    loaderData;
  return (
    <>
      <ContactPage
        texts={texts}
        contact={contact}
        openNow={openNow}
        social={social.length > 0 && <SocialLinks accounts={social} className="-ml-2.5" />}
        form={
          formEmbed ? (
            <Embed content={formEmbed} className="h-[49.3125rem]" />
          ) : (
            // With the key, a form about another page replaces the iframe, and the Back button skips
            // the earlier form.
            <FormFrame key={framePath} src={framePath} title={formHeading} />
          )
        }
        map={<Embed content={map} className="h-[25rem]" />}
      />
      <AdRow row={ads} />
    </>
  );
}

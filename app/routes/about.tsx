import { appContext } from "../context.ts";
import { AboutPage } from "../features/about/about-page.tsx";
import { aboutFile } from "../features/about/files.server.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { donationFile } from "../features/donation/files.server.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/about.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { site } = services;
  const content = { about: site.read(aboutFile), donateUrl: site.read(donationFile)?.url };
  const findAdRow = await prepareAdRows(services, "about", content);
  return { ...content, ads: findAdRow("end") };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { title, description } = loaderData.about;
  return pageMeta(root.loaderData.site, { title, description, path: "/about" });
}

export default function AboutRoute({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <AboutPage about={loaderData.about} donateUrl={loaderData.donateUrl} />
      <AdRow row={loaderData.ads} />
    </>
  );
}

import { Outlet, useMatches } from "react-router";
import { appContext } from "../context.ts";
import { isBlogPath } from "../features/blog/paths.ts";
import { contactFile } from "../features/brand/contact-file.server.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { listSisterCities } from "../features/brand/network-file.server.ts";
import { donationFile } from "../features/donation/files.server.ts";
import { DonationTimer } from "../features/donation/timer.tsx";
import {
  type LayoutContent,
  readNavigation,
  wordmarkFile,
} from "../features/layout/files.server.ts";
import { SiteLayout } from "../features/layout/site-layout.tsx";
import { newsletterFile } from "../features/newsletter/files.server.ts";
import { addDays, calendarYear, instantAt } from "../lib/dates.ts";
import { revalidateLayout } from "../lib/http/revalidation.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/layout.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { site, clock, expireAt } = context.get(appContext);
  const { name, shortName, city, network, tagline, founded, mark, social, timeZone } =
    site.read(siteSettingsFile);
  const { heading, pitch } = site.read(newsletterFile);
  const donation = site.read(donationFile);
  const midnight = (day: string) => instantAt(day, "00:00", timeZone).getTime();
  const year = calendarYear(clock(), timeZone);
  // The footer shows the year, so cached pages expire at the end of the year.
  expireAt(instantAt(`${year + 1}-01-01`, "00:00", timeZone));
  const content: LayoutContent = {
    brand: {
      name,
      shortName,
      city,
      network: network.name,
      sisters: listSisterCities(site),
      tagline,
      mark,
      social,
      wordmark: site.read(wordmarkFile),
    },
    navigation: readNavigation(site),
    contact: site.read(contactFile),
    newsletter: { heading, pitch },
    donationUrl: donation?.url,
    years: founded < year ? `${founded}–${year}` : String(founded),
  };
  if (!donation) return { content, donation: null };
  const { campaign, ...texts } = donation;
  const from = campaign ? midnight(campaign.from) : null;
  const until = campaign ? midnight(addDays(campaign.until, 1)) : null;
  return { content, donation: { ...texts, from, until } };
}

export const shouldRevalidate = revalidateLayout(isBlogPath);

export default function SharedLayout({ loaderData }: Route.ComponentProps) {
  // If its loader has failed, such a page has no data, and the message gets the frame of readers.
  const hasOwnFrame = useMatches().some(
    (match) => match.loaderData && (match.handle as RouteHandle | undefined)?.ownFrame,
  );
  if (hasOwnFrame) return <Outlet />;
  return (
    <>
      <SiteLayout content={loaderData.content}>
        <Outlet />
      </SiteLayout>
      {loaderData.donation && <DonationTimer donation={loaderData.donation} />}
    </>
  );
}

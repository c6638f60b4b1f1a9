import { appContext } from "../context.ts";
import { AlertSlot } from "../features/alerts/banner/alert-slot.tsx";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { listArtwork, radioFile } from "../features/radio/files.server.ts";
import { RadioPage } from "../features/radio/radio-page.tsx";
import { loadOnAir } from "../features/radio/schedule/on-air.server.ts";
import { groupWeek } from "../features/radio/schedule/programs.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/radio.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { name, city, touchIcon } = services.site.read(siteSettingsFile);
  const { artwork, schedule, ...texts } = services.site.read(radioFile);
  return {
    texts,
    siteName: name,
    city,
    artwork: listArtwork(artwork, touchIcon),
    schedule: schedule && { isSample: schedule.sample, week: groupWeek(schedule.programs) },
    onAir: await loadOnAir(services),
  };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { title, description } = loaderData.texts;
  return pageMeta(root.loaderData.site, { title, description, path: "/radio" });
}

export default function RadioRoute({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <AlertSlot />
      <RadioPage {...loaderData} />
    </>
  );
}

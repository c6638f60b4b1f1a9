import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { toUnsentPath, unsentForm } from "../features/forms/unsent/unsent-form.ts";
import { OfflinePage } from "../features/offline/offline-page.tsx";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/offline.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { site, offlineCopies } = context.get(appContext);
  const { name, timeZone } = site.read(siteSettingsFile);
  return { site: { name, timeZone }, isSwitchedOff: !offlineCopies };
}

export function meta({ matches: [root] }: Route.MetaArgs) {
  return pageMeta(root.loaderData.site, {
    title: "Reading without a connection",
    description: "The pages that your browser has stored on this device, to read offline.",
    path: "/offline",
  });
}

export default function OfflineRoute({ loaderData }: Route.ComponentProps) {
  return <OfflinePage {...loaderData} readUnsentTime={readUnsentTime} />;
}

/** Returns when the reader wrote into the form of a page, or of its frame, without sending it. */
function readUnsentTime(path: string): number | null {
  const page = toUnsentPath(path);
  // The frame's path ends with "/form", before the query.
  const frame = page.replace(/\?|$/, "/form$&");
  return (unsentForm(page).read() ?? unsentForm(frame).read())?.savedAt ?? null;
}

import { appContext } from "../../context.ts";
import { siteSettingsFile } from "../../features/brand/files.server.ts";
import { findDeskPath } from "../../features/desk/log/desk-paths.server.ts";
import { readLog } from "../../features/desk/log/log.server.ts";
import { LogPage } from "../../features/desk/pages/log-page.tsx";
import { openDesk } from "../../features/desk/sign-in/open-desk.server.ts";
import { readInstant, shortTimestamp } from "../../lib/dates.ts";
import type { Route } from "./+types/log.ts";

const pageSize = 50;

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const { timeZone } = desk.site.read(siteSettingsFile);
  const before = readInstant(args.url.searchParams.get("before") ?? "") ?? undefined;
  const entries = await readLog(desk.db, { before, count: pageSize + 1 });
  const shown = entries.slice(0, pageSize);
  const show = async ({ at, items: [item, ...others], ...entry }: (typeof shown)[number]) => ({
    ...entry,
    time: shortTimestamp(at, timeZone),
    place:
      item !== undefined && others.length === 0
        ? await findDeskPath(desk, { kind: entry.kind, id: item })
        : null,
  });
  return {
    entries: await Promise.all(shown.map(show)),
    older: entries.length > pageSize ? (shown.at(-1)?.at.toISOString() ?? null) : null,
  };
}

export const meta = () => [{ title: "Log – The desk" }];

export default function LogRoute({ loaderData }: Route.ComponentProps) {
  return <LogPage {...loaderData} />;
}

import { appContext } from "../../../context.ts";
import { siteSettingsFile } from "../../../features/brand/files.server.ts";
import { itemsPerPage, listItems } from "../../../features/desk/kinds/kinds.server.ts";
import { listItemKinds, toItemFilter, toItemKind } from "../../../features/desk/published/model.ts";
import { ListPage } from "../../../features/desk/published/pages/list-page.tsx";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { calendarDay, longDate } from "../../../lib/dates.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import type { Route } from "./+types/list.ts";

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const { timeZone } = desk.site.read(siteSettingsFile);
  const query = args.url.searchParams;
  const text = toSafeLine(query.get("q") ?? "").slice(0, 200);
  const kind = toItemKind(query.get("kind"));
  const only = toItemFilter(query.get("only"));
  const page = Math.max(1, Number.parseInt(query.get("page") ?? "1", 10) || 1);
  const { items, count } = await listItems(desk, { text, kind, only, page });
  return {
    items: items.map(({ at, ...item }) => ({ ...item, date: longDate(calendarDay(at, timeZone)) })),
    count,
    kinds: listItemKinds(desk.site),
    filter: { text, kind, only },
    page,
    last: Math.ceil(count / itemsPerPage),
  };
}

export const meta = () => [{ title: "Published – The desk" }];

export default function PublishedRoute({ loaderData }: Route.ComponentProps) {
  return <ListPage {...loaderData} />;
}

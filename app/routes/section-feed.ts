import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { listHeadlines } from "../features/feeds/listing/content.server.ts";
import { parseShownTime } from "../features/feeds/listing/select.server.ts";
import { feedExtensions } from "../lib/links/feed-formats.ts";
import { feedResponse } from "../lib/links/feed-response.server.ts";
import type { Route } from "./+types/section-feed.ts";

/** /feeds/local.xml, .atom and .json: the headlines of a section, for feed readers. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, ...rest } = context.get(appContext);
  const { name: siteName, origin, timeZone } = site.read(siteSettingsFile);
  const [, name = "", extension] = /^([a-z]+)\.(\w+)$/.exec(params.file) ?? [];
  const format = feedExtensions.find((known) => known === extension);
  const list = format && (await listHeadlines({ ...rest, site, timeZone }, name));
  if (!list) throw new Response("There is no such feed.\n", { status: 404 });
  const entries = list.headlines.map(({ id, link, title, summary, source, time }) => ({
    id,
    link,
    title,
    summary,
    authors: [source],
    publishedAt: parseShownTime(time.iso),
  }));
  return feedResponse(
    format,
    {
      title: `${list.title} | ${siteName}`,
      description: list.description,
      origin,
      page: list.page,
      path: `/feeds/${name}`,
      updatedAt: entries[0]?.publishedAt ?? rest.clock(),
    },
    entries,
  );
}

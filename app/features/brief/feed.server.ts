import type { FeedExtension } from "../../lib/links/feed-formats.ts";
import { type FeedEntry, feedResponse } from "../../lib/links/feed-response.server.ts";
import { escapeHtml } from "../../lib/text/html.ts";
import type { PageServices } from "../../platform/services.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { briefFile } from "./files.server.ts";
import { type Brief, briefDayPath, briefFeedPath, briefPath } from "./model.ts";
import { listBriefsWithNews } from "./read.server.ts";

const maxEntries = 14;

/**
 * The entries have no samples and no good-to-know items, because feed readers keep what a feed once
 * contained.
 */
export async function briefFeed(services: PageServices, extension: FeedExtension) {
  const { name, origin } = services.site.read(siteSettingsFile);
  const { heading, description } = services.site.read(briefFile);
  const briefs = await listBriefsWithNews(services, maxEntries);
  const entries = briefs.map((brief): FeedEntry => {
    const link = briefDayPath(brief.day);
    return {
      id: origin + link,
      title: `${heading}: ${brief.date}`,
      link,
      summary: toSummary(brief),
      publishedAt: brief.createdAt,
      updatedAt: brief.updatedAt > brief.createdAt ? brief.updatedAt : undefined,
      authors: [name],
      html: toHtml(brief, origin),
    };
  });
  return feedResponse(
    extension,
    {
      title: `${heading} | ${name}`,
      description,
      origin,
      page: briefPath,
      path: briefFeedPath,
      now: services.clock(),
    },
    entries,
  );
}

const realItems = <Item extends { isSample: boolean }>(items: Item[]) =>
  items.filter(({ isSample }) => !isSample);

const maxSummaryTitles = 3;

const toSummary = ({ headlines, stories, events }: Brief): string =>
  [...headlines, ...realItems(stories), ...realItems(events)]
    .slice(0, maxSummaryTitles)
    .map(({ title }) => title)
    .join(" · ");

function toHtml(brief: Brief, origin: string): string {
  const events = realItems(brief.events);
  const link = (title: string, url: string | null) =>
    url === null
      ? escapeHtml(title)
      : `<a href="${escapeHtml(new URL(url, origin).href)}">${escapeHtml(title)}</a>`;
  const parts = [
    {
      heading: "Headlines",
      items: brief.headlines.map(
        ({ title, link: url, source }) => `${link(title, url)} (${escapeHtml(source)})`,
      ),
    },
    {
      heading: brief.areEventsToday ? "Events today" : "Coming up",
      items: events.map(
        ({ title, path, when, location, isCanceled }) =>
          `${isCanceled ? "Canceled: " : ""}${link(title, path)}, ${escapeHtml([when, location].filter(Boolean).join(", "))}`,
      ),
    },
    {
      heading: "Public meetings",
      items: realItems(brief.meetings).map(
        ({ title, path, when, time, change }) =>
          `${change === null ? "" : `${change}: `}${when}: ${link(title, path)}${time === "" ? "" : `, ${time}`}`,
      ),
    },
    {
      heading: "From our newsroom",
      items: realItems(brief.stories).map(({ title, path }) => link(title, path)),
    },
  ];
  const lists = parts
    .filter(({ items }) => items.length > 0)
    .map(
      ({ heading, items }) =>
        `<h3>${heading}</h3>\n<ul>\n${items.map((item) => `<li>${item}</li>`).join("\n")}\n</ul>`,
    );
  return [...lists, ...(brief.fact ? [`<p>${escapeHtml(brief.fact.text)}</p>`] : [])].join("\n");
}

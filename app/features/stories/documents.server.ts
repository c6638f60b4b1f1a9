import { textToHtml } from "../../lib/text/html.ts";
import type { DocumentSource } from "../../platform/search-document.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { storyPath } from "./model.ts";
import { datesOf, type StoryRecord } from "./record.server.ts";
import { listStoriesOrSamples } from "./stories.server.ts";

/** Readers find a story by everything that its page says, also by its authors and corrections. */
export const storyDocuments: DocumentSource = {
  async list(services) {
    const now = services.clock();
    const { timeZone } = services.site.read(siteSettingsFile);
    const stories = await listStoriesOrSamples(services);
    return stories.map((record) => ({
      id: `story:${record.slug}`,
      kind: "story",
      link: storyPath(record.slug),
      title: record.title,
      detail: record.category,
      summary: record.excerpt,
      source: { format: "html", text: toHtml(record, timeZone, now) },
      keywords: [...record.authors, record.series ?? ""].filter((word) => word !== "").join(", "),
      at: record.publishedAt,
      isSample: record.isSample,
    }));
  },
};

function toHtml(record: StoryRecord, timeZone: string, now: Date): string {
  const { caption, credit } = record.image;
  const corrections = datesOf(record, timeZone, now).corrections.map(({ text }) => text);
  return [record.html, ...[caption ?? "", credit ?? "", ...corrections].map(textToHtml)].join("\n");
}

import { longDate } from "../../lib/dates.ts";
import type { StoryRecord } from "./files.server.ts";
import type { NewsItem, Story } from "./model.ts";

const relatedCount = 3;

export function newsItem({ id, front }: StoryRecord): NewsItem {
  const { title, excerpt, category, date, image } = front;
  return { id, title, excerpt, category, date: longDate(date), image };
}

/** The stories of these ids, in this order. One that is gone leaves no gap. */
export function pickStories(records: StoryRecord[], ids: string[]): NewsItem[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []).map(newsItem);
}

/** A story and what to read after it: first of its own category, then the newest. Null when there is none. */
export function findStory(records: StoryRecord[], id: string): { story: Story; related: NewsItem[] } | null {
  const record = records.find((candidate) => candidate.id === id);
  if (!record) return null;
  const isAkin = ({ front }: StoryRecord) => Number(front.category === record.front.category);
  const related = records
    .filter((other) => other !== record)
    .toSorted((one, other) => isAkin(other) - isAkin(one) || other.front.date.localeCompare(one.front.date))
    .slice(0, relatedCount)
    .map(newsItem);
  return { story: { ...newsItem(record), html: record.html, published: record.front.date }, related };
}

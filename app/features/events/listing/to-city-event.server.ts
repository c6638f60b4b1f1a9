import { findAvailable } from "../../../lib/images/art.ts";
import { truncateAtWord } from "../../../lib/text/truncate-at-word.ts";
import { toTypographic } from "../../../lib/text/typography/typography.ts";
import type { EventRecord, EventsTexts } from "../files.server.ts";
import type { StoredEvent } from "../import/store.server.ts";
import type { EventRow, toColumns } from "../submissions.server.ts";
import type { CityEvent } from "./city-event.ts";

const maxExcerptLength = 200;
export const toExcerpt = (text: string) =>
  truncateAtWord(text.replaceAll(/\s+/g, " ").trim(), maxExcerptLength);

/** What most events do not have. */
export const commonFacts = {
  meeting: null,
  isSeries: false,
  day: null,
  repeats: null,
  html: null,
  price: null,
  image: null,
  allDay: false,
  isSample: false,
  isCanceled: false,
  changedAt: null,
  source: null,
  agenda: null,
  textOverrides: { date: null, time: null },
};

export function fromFile(
  { id, front, html }: EventRecord,
  startsAt: Date,
  endsAt: Date,
): CityEvent {
  const { title, excerpt, category, location, free, price, sample, image, link } = front;
  return {
    ...commonFacts,
    id,
    series: `file:${id}`,
    isSeries: front.repeats !== undefined,
    title,
    excerpt,
    html,
    text: excerpt,
    location,
    category,
    free,
    price: price ?? null,
    startsAt,
    endsAt,
    image: findAvailable(image),
    isSample: sample,
    link: link ?? null,
    agenda: front.agenda ?? null,
    textOverrides: { date: front.dateText ?? null, time: front.timeText ?? null },
  };
}

export function fromStoredEvent(event: StoredEvent, texts: EventsTexts): CityEvent {
  const { id, series, title, description, location, url, startsAt, endsAt, allDay } = event;
  const source = texts.sources.find((each) => each.id === event.source);
  return {
    ...commonFacts,
    id,
    series: `calendar:${series}`,
    title,
    location,
    startsAt,
    endsAt,
    allDay,
    isCanceled: event.cancelled,
    excerpt: toExcerpt(description) || title,
    text: description,
    category: findCategory(event, texts, source?.category),
    free: source?.free === true || event.categories.some((each) => each.toLowerCase() === "free"),
    source: source ? { name: source.name, url: source.page } : null,
    link: url || null,
  };
}

/**
 * Looks for one of our categories in the event's own categories, then in its title. If there is
 * none, the event gets the default category of its source.
 */
function findCategory(
  event: StoredEvent,
  { categories }: EventsTexts,
  fallback: string | undefined,
): string {
  const matchCategory = (text: string) => {
    const words = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ")} `;
    return categories.find((each) =>
      [each.name.toLowerCase(), ...each.words].some((word) => words.includes(` ${word} `)),
    );
  };
  const match =
    event.categories.map(matchCategory).find((each) => each) ?? matchCategory(event.title);
  return match?.name ?? fallback ?? categories.at(-1)?.name ?? "";
}

type SubmittedEvent = ReturnType<typeof toColumns> & Pick<EventRow, "id" | "decidedAt">;

export function fromSubmission(event: SubmittedEvent): CityEvent {
  const { id, free, url, startsAt, endsAt } = event;
  const description = toTypographic(event.description);
  return {
    ...commonFacts,
    id,
    series: `reader:${id}`,
    title: toTypographic(event.title),
    location: toTypographic(event.location),
    category: toTypographic(event.category),
    free,
    startsAt,
    endsAt,
    excerpt: toExcerpt(description),
    text: description,
    changedAt: event.decidedAt,
    link: url || null,
  };
}

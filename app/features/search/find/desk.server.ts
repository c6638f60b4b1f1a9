import { createAnswers, createQueue } from "../../../lib/http/answers.server.ts";
import { createVisitorPlaces, createVisitorRate } from "../../../lib/http/visitors.server.ts";
import { countedAs, type Findings, type Question, type Suggestion } from "../model.ts";
import { find, type SearchScope, suggest } from "./find.server.ts";

/** Each search keeps the database busy, which pages need as well. */
const queue = createQueue({ atOnce: 2, maxWaiting: 34 });
/** It takes six visitors who do nothing but search to fill the queue. */
const places = createVisitorPlaces(6);
/** Answers from memory do not count. A whole newsroom or school may search from one address. */
const rate = createVisitorRate({ burst: 300, perSecond: 5 });

export const keptMs = 30_000;
const findings = createAnswers<Findings>({ keptMs, maxEntries: 300, maxBytes: 6 * 1024 * 1024 });
const suggestions = createAnswers<Suggestion[]>({
  keptMs,
  maxEntries: 1_000,
  maxBytes: 2 * 1024 * 1024,
});

/** When somebody who was turned away may ask again. */
export const retryAfterSeconds = 5;

/**
 * Whether this visitor's search would run or wait now. Asked before a page is rendered, so that a
 * refusal costs little.
 */
export const hasRoomFor = (address: string): boolean =>
  !queue.isFull() && places.hasRoom(address) && rate.hasRoom(address);

/** Null when the queue is full. */
type Answer<T> = Promise<T | null>;

async function inTurn<T>(address: string, work: () => Promise<T>): Answer<T> {
  const leave = places.take(address);
  if (!leave) return null;
  try {
    return (await queue.run(work))?.value ?? null;
  } finally {
    leave();
  }
}

export const answerQuestion = (
  scope: SearchScope,
  question: Question,
  address: string,
): Answer<Findings> =>
  findings.get(`${question.kind} ${question.page} ${countedAs(question.query)}`, async () =>
    rate.take(address) > 0 ? null : inTurn(address, () => find(scope, question)),
  );

/** How often one visitor asks for suggestions is limited before they get here. */
export const answerTyping = (
  scope: SearchScope,
  query: string,
  address: string,
): Answer<Suggestion[]> =>
  suggestions.get(countedAs(query), () => inTurn(address, () => suggest(scope, query)));

const listeners = new Set<() => void>();

/** Calls a function whenever what can be found has changed. */
export const onForget = (listener: () => void): void => {
  listeners.add(listener);
};

/** What can be found has changed. */
export function forgetAnswers(): void {
  findings.forget();
  suggestions.forget();
  for (const forget of listeners) forget();
}

import { withoutNewTabNotes } from "../../lib/links/external-links.ts";

export type FaqEntry = { id: string; question: string; html: string };
export type FaqCategory = { id: string; name: string; entries: FaqEntry[] };

/**
 * This runs in the browser on HTML that we rendered ourselves, so it only has to remove the tags.
 */
export function matchesQuery({ question, html }: FaqEntry, query: string): boolean {
  const words = toComparable(query).split(/\s+/);
  const text = toComparable(`${question} ${withoutNewTabNotes(html).replaceAll(/<[^>]*>/g, " ")}`);
  return words.every((word) => text.includes(word));
}

/** Readers type straight quotes or typographic ones. */
const toComparable = (text: string) =>
  text.toLowerCase().replaceAll("’", "'").replaceAll(/[“”]/g, '"');

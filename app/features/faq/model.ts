import { withoutNewTabNotes } from "../../lib/links/external-links.ts";

export type FaqEntry = { id: string; question: string; html: string };
export type FaqCategory = { id: string; name: string; entries: FaqEntry[] };

/**
 * Whether every word that is looked for is somewhere in the question or its answer. It runs in the
 * browser over HTML that we rendered ourselves, so removing the tags is enough, and the parser for
 * the HTML of others stays on the server.
 */
export function matchesQuery({ question, html }: FaqEntry, looked: string): boolean {
  const words = looked.toLowerCase().split(/\s+/);
  const text = `${question} ${withoutNewTabNotes(html).replaceAll(/<[^>]*>/g, " ")}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

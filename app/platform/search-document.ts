import type { SourceText } from "../lib/text/plain-text.server.ts";
import type { Services } from "./services.ts";

export type DocumentKind = "story" | "blog" | "event" | "faq" | "page" | "volunteer" | "book";

/** Something that readers can search for, as its feature declares it. */
export type SearchDocument = {
  id: string;
  kind: DocumentKind;
  link: string;
  title: string;
  detail?: string;
  summary?: string;
  body?: string;
  /**
   * Text in another format that the body is read from, in a worker and only if the document has
   * changed.
   */
  source?: SourceText;
  keywords?: string;
  /** Other names, one per line. */
  aliases?: string;
  at?: Date | null;
  isSample?: boolean;
};

export type DocumentSource = {
  list(services: Services): Promise<SearchDocument[]>;
  /** Records that are too many to be read each time: their versions are compared first. */
  stored?: {
    /** How many are read at a time: their texts are in memory together. */
    batchSize: number;
    versions(services: Services): Promise<{ id: string; version: string }[]>;
    read(services: Services, ids: string[]): Promise<SearchDocument[]>;
  };
};

/** A page that is not a record of anything. */
export type PageText = {
  title: string;
  summary: string;
  body?: string;
  source?: SourceText;
  /** What readers may call the page. */
  aliases?: string[];
};

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
  /** Text in another format. A worker converts it to the body, only if the document has changed. */
  source?: SourceText;
  keywords?: string;
  /** Other names, one per line. */
  aliases?: string;
  at?: Date | null;
  isSample?: boolean;
};

export type DocumentSource = {
  list(services: Services): Promise<SearchDocument[]>;
  /**
   * For large numbers of records: versions are compared first, and only changed records are read.
   */
  stored?: {
    /** The number of records that are read at a time. Their texts are in memory together. */
    batchSize: number;
    versions(services: Services): Promise<{ id: string; version: string }[]>;
    read(services: Services, ids: string[]): Promise<SearchDocument[]>;
  };
};

/** A page that does not show a record. */
export type PageText = {
  title: string;
  summary: string;
  body?: string;
  source?: SourceText;
  /** What readers may call the page. */
  aliases?: string[];
};

import type { SourceText } from "../lib/text/plain-text.server.ts";
import type { Services } from "./services.ts";

type DocumentKind = "story" | "blog" | "event" | "faq" | "page" | "volunteer" | "book";

export type SearchDocument = {
  id: string;
  kind: DocumentKind;
  link: string;
  title: string;
  /** The author, place, source or category. */
  detail?: string;
  summary?: string;
  body?: string;
  /**
   * The body in another format, such as HTML. A worker converts it to plain text, but only if the
   * document has changed.
   */
  source?: SourceText | UnreadText;
  keywords?: string;
  /** Other names by which readers may search for it, one per line. */
  aliases?: string;
  /** When the document was published, or when the event takes place. */
  at?: Date | null;
  isSample?: boolean;
};

/** A text that is not in memory. It is read only if its version is not in the index yet. */
export type UnreadText = {
  format: SourceText["format"];
  version: string;
  read(): Promise<string>;
};

export type DocumentSource = { list(services: Services): Promise<SearchDocument[]> };

/** A page that does not show a record. */
export type PageText = {
  title: string;
  summary: string;
  body?: string;
  source?: SourceText;
  /** What readers may call the page. */
  aliases?: string[];
  /** Whether search engines should not list the page, which then says "noindex". */
  isUnlisted?: true;
};

import { WorkRefused } from "../../../lib/external/work-refused.ts";
import type { SourceText } from "../../../lib/text/plain-text.server.ts";
import type { Services } from "../../../platform/services.ts";
import { textsTask } from "../tasks.server.ts";
import type { SearchDocument } from "./write.server.ts";

/** A document whose body is still to be made from `source`, unless that is null. */
export type UnreadDocument = SearchDocument & { source: SourceText | null };

/** Text beyond this length cannot be searched. */
export const maxBodyLength = 100_000;
/** The database refuses NUL characters and lone surrogates, which text from other sites has. */
export const toStorable = (text: string) => text.replaceAll("\0", "").toWellFormed();

/** Reads the texts in a worker thread. If one takes too long, its document still has a title. */
export async function readBodies(
  services: Pick<Services, "log" | "runInWorker">,
  unread: UnreadDocument[],
): Promise<SearchDocument[]> {
  const documents: SearchDocument[] = [];
  for (const { source, ...document } of unread) {
    const body = source ? await readBody(services, document.id, source) : document.body;
    documents.push({ ...document, body: toStorable(body.slice(0, maxBodyLength)) });
  }
  return documents;
}

async function readBody(
  { log, runInWorker }: Pick<Services, "log" | "runInWorker">,
  id: string,
  source: SourceText,
): Promise<string> {
  const result = await runInWorker(textsTask, source).catch((error: unknown) => {
    if (error instanceof WorkRefused) throw error;
    return { kind: "broken" as const };
  });
  if (result.kind === "done") return result.value;
  log.warn("search.text_not_read", { document: id, cause: result.kind });
  return "";
}

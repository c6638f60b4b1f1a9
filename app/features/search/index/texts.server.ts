import { WorkRefused } from "../../../lib/external/work-refused.ts";
import type { SourceText } from "../../../lib/text/plain-text.server.ts";
import type { Services } from "../../../platform/services.ts";
import { textsTask } from "./worker-task.server.ts";
import type { SearchDocument } from "./write.server.ts";

/**
 * A document whose body still has to be made from the text in `source`. `source` is null if the
 * body is complete.
 */
export type UnreadDocument = SearchDocument & { source: SourceText | null };

/** Text beyond this length cannot be searched. */
export const maxBodyLength = 100_000;
/**
 * The maximum amount of text that one worker task reads. A normal batch takes a small part of the
 * task's deadline.
 */
const maxBatchCharacters = 500_000;

/**
 * Removes NUL characters and lone surrogates, which text from other sites may contain and the
 * database refuses.
 */
export const toStorable = (text: string) => text.replaceAll("\0", "").toWellFormed();

/**
 * Reads the texts of the documents. A document whose text takes too long to read can still be found
 * by its title and its other fields.
 */
export async function readBodies(
  services: Pick<Services, "log" | "runInWorker">,
  unread: UnreadDocument[],
): Promise<SearchDocument[]> {
  const bodies = new Map<string, string>();
  for (const batch of toBatches(unread.filter(({ source }) => source !== null))) {
    for (const [id, body] of await readBatch(services, batch)) bodies.set(id, body);
  }
  return unread.map(({ source: _source, ...document }) => ({
    ...document,
    body: toStorable((bodies.get(document.id) ?? document.body).slice(0, maxBodyLength)),
  }));
}

function toBatches(documents: UnreadDocument[]): UnreadDocument[][] {
  const batches: UnreadDocument[][] = [];
  let remaining = 0;
  for (const document of documents) {
    const { length } = document.source?.text ?? "";
    if (length > remaining) {
      batches.push([]);
      remaining = maxBatchCharacters;
    }
    batches.at(-1)?.push(document);
    remaining -= length;
  }
  return batches;
}

/**
 * Reads the texts of a batch in a worker thread. Returns pairs of id and body. If a batch fails,
 * each of its texts is read alone, so that one bad text does not affect the others.
 */
async function readBatch(
  services: Pick<Services, "log" | "runInWorker">,
  batch: UnreadDocument[],
): Promise<[string, string][]> {
  const result = await services
    .runInWorker(
      textsTask,
      batch.flatMap(({ source }) => source ?? []),
    )
    .catch((error: unknown) => {
      if (error instanceof WorkRefused) throw error;
      return { kind: "broken" as const };
    });
  if (result.kind === "done") return batch.map(({ id }, index) => [id, result.value[index] ?? ""]);
  const [only, ...others] = batch;
  if (only && others.length === 0) {
    services.log.warn("search.text_not_read", { document: only.id, cause: result.kind });
    return [];
  }
  const bodies: [string, string][] = [];
  for (const document of batch) bodies.push(...(await readBatch(services, [document])));
  return bodies;
}

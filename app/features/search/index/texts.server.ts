import { WorkRefused } from "../../../lib/external/work-refused.ts";
import type { SourceText } from "../../../lib/text/plain-text.server.ts";
import type { Services } from "../../../platform/services.ts";
import { textsTask } from "./worker-task.server.ts";
import type { SearchDocument } from "./write.server.ts";

/** A document whose body is still to be read, unless it has no text of its own. */
export type UnreadDocument = SearchDocument & { source: SourceText | null };

type TextServices = Pick<Services, "log" | "runInWorker">;

/** Longer texts are searched in their beginning. */
export const maxBodyLength = 100_000;
/** Texts that are read in one job: an honest batch takes a small part of the job's deadline. */
const maxBatchCharacters = 500_000;

/** The database takes neither NUL nor half a character, which others may have written. */
export const toStorable = (text: string) => text.replaceAll("\0", "").toWellFormed();

/**
 * The documents with their texts read. One whose text takes too long is found by its title and the
 * rest of its fields.
 */
export async function readBodies(
  services: TextServices,
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
  let room = 0;
  for (const document of documents) {
    const { length } = document.source?.text ?? "";
    if (length > room) {
      batches.push([]);
      room = maxBatchCharacters;
    }
    batches.at(-1)?.push(document);
    room -= length;
  }
  return batches;
}

/** Of a batch that fails, each text is read alone, so that one of them costs the others nothing. */
async function readBatch(
  services: TextServices,
  batch: UnreadDocument[],
): Promise<[string, string][]> {
  const read = await services
    .runInWorker(
      textsTask,
      batch.flatMap(({ source }) => source ?? []),
    )
    .catch((error: unknown) => {
      if (error instanceof WorkRefused) throw error;
      return { kind: "broken" as const };
    });
  if (read.kind === "done") return batch.map(({ id }, index) => [id, read.value[index] ?? ""]);
  const [only, ...others] = batch;
  if (only && others.length === 0) {
    services.log.warn("search.text_not_read", { document: only.id, cause: read.kind });
    return [];
  }
  const alone: [string, string][] = [];
  for (const document of batch) alone.push(...(await readBatch(services, [document])));
  return alone;
}

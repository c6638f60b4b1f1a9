type WaitingPart<Part, Result> = PromiseWithResolvers<Result> & { part: Part };

type BatcherOptions<Part, Result> = {
  sizeOf(part: Part): number;
  /** The maximum size of a batch. A part that is larger than this is run alone. */
  maxSize: number;
  /** Processes either all parts or none. The results are in the order of the parts. */
  run(parts: Part[]): Promise<Result[]>;
};

/**
 * Returns a function that queues a part. One batch runs at a time, and the parts that arrive
 * meanwhile form the next one. So a single part starts immediately, and many parts share the cost
 * of one run. If a batch fails, each of its parts is run again alone, so that a bad part does not
 * make the others fail.
 */
export function createBatcher<Part, Result>({
  sizeOf,
  maxSize,
  run,
}: BatcherOptions<Part, Result>) {
  let queue: WaitingPart<Part, Result>[] = [];
  let isRunning = false;

  const takeBatch = () => {
    let size = 0;
    const end = queue.findIndex(({ part }, index) => {
      size += sizeOf(part);
      return index > 0 && size > maxSize;
    });
    const batch = end === -1 ? queue : queue.slice(0, end);
    queue = queue.slice(batch.length);
    return batch;
  };
  const runAll = async () => {
    isRunning = true;
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) await runBatch(batch, run);
    isRunning = false;
  };
  return (part: Part): Promise<Result> => {
    const waiting = { part, ...Promise.withResolvers<Result>() };
    queue.push(waiting);
    if (!isRunning) runAll();
    return waiting.promise;
  };
}

async function runBatch<Part, Result>(
  batch: WaitingPart<Part, Result>[],
  run: (parts: Part[]) => Promise<Result[]>,
): Promise<void> {
  try {
    const results = await run(batch.map(({ part }) => part));
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  } catch (error) {
    if (batch.length > 1) for (const waiting of batch) await runBatch([waiting], run);
    else for (const { reject } of batch) reject(error);
  }
}

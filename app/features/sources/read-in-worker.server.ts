import type { VisitFailure } from "../../lib/external/source-visits.server.ts";
import type { RunInWorker, WorkerTask } from "../../platform/worker-task.ts";

/** Reads a document in a worker thread. The bytes move there and cannot be used afterwards. */
export async function readInWorker<Input, Output>(
  runInWorker: RunInWorker,
  task: WorkerTask<Input & { body: Uint8Array }, Output>,
  bytes: Uint8Array,
  input: Input,
): Promise<{ kind: "read"; value: Output } | VisitFailure> {
  const body = toTransferable(bytes);
  const outcome = await runInWorker(task, { ...input, body }, [body.buffer]);
  if (outcome.kind === "done") return { kind: "read", value: outcome.value };
  const { kind, detail } = outcome;
  return { kind: "failed", cause: `${kind}-to-read`, detail, waitMs: null };
}

/** A small Buffer shares its ArrayBuffer with other Buffers, so its bytes are copied. */
function toTransferable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}

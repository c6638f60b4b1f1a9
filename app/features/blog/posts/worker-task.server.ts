import type { RunInWorker, WorkerTask } from "../../../platform/worker-task.ts";

/** The key signs the addresses of the post's images. */
export type PostText = { text: string; origin: string; imageKey: Uint8Array };

export const postTask: WorkerTask<PostText, string> = {
  name: "post",
  queue: "posts",
  deadlineMs: 2_000,
};

/**
 * The HTML of a post's text, made in a worker thread; null if that takes too long or too much
 * memory.
 */
export async function renderInWorker(
  runInWorker: RunInWorker,
  post: PostText,
): Promise<string | null> {
  const outcome = await runInWorker(postTask, post);
  return outcome.kind === "done" ? outcome.value : null;
}

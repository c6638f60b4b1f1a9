import type { RunInWorker, WorkerTask } from "../../../platform/worker-task.ts";

/** `imageKey` signs the paths of the post's images. */
export type PostText = { text: string; origin: string; imageKey: Uint8Array };

export const postTask: WorkerTask<PostText, string> = {
  name: "post",
  queue: "posts",
  deadlineMs: 2_000,
};

/**
 * Renders a post's text as HTML in a worker thread; null if that takes too long or too much memory.
 */
export async function renderInWorker(
  runInWorker: RunInWorker,
  post: PostText,
): Promise<string | null> {
  const outcome = await runInWorker(postTask, post);
  return outcome.kind === "done" ? outcome.value : null;
}

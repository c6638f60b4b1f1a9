import type { RunInWorker, WorkerTask } from "../../../platform/worker-task.ts";

/** `imageKey` signs the paths of the post's images. */
export type PostText = { text: string; origin: string; imageKey: Uint8Array };

/** Readers wait for a post, so both tasks use the queue of posts. */
const queue = "posts";

export const postTask: WorkerTask<PostText, string> = { name: "post", queue, deadlineMs: 5_000 };

/** Takes time proportional to the length of the text, so it succeeds where the other task fails. */
export const strippedPostTask: WorkerTask<string, string> = {
  name: "stripped-post",
  queue,
  deadlineMs: 2_000,
};

/**
 * Renders a post's text as HTML in a worker thread. `isStripped` is true if that took too long or
 * too much memory, so that the HTML has only the text without its markup. Returns null if even that
 * failed.
 */
export async function renderInWorker(
  runInWorker: RunInWorker,
  post: PostText,
): Promise<{ html: string; isStripped: boolean } | null> {
  const rendered = await runInWorker(postTask, post);
  if (rendered.kind === "done") return { html: rendered.value, isStripped: false };
  const stripped = await runInWorker(strippedPostTask, post.text);
  return stripped.kind === "done" ? { html: stripped.value, isStripped: true } : null;
}

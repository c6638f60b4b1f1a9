import type { WorkerTask } from "../../../platform/worker-task.ts";

/** `imageKey` signs the paths of the post's images. */
export type PostText = { text: string; origin: string; imageKey: Uint8Array };

/** Renders a post's text as HTML. Readers wait for it. */
export const postTask: WorkerTask<PostText, string> = {
  name: "post",
  queue: "posts",
  deadlineMs: 5_000,
};

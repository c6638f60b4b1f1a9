import type { WorkerTask } from "../../../platform/worker-task.ts";

/** `imageKey` signs the paths of the post's images. */
export type PostText = { text: string; origin: string; imageKey: Uint8Array };

export const postTask: WorkerTask<PostText, string> = {
  name: "post",
  queue: "posts",
  deadlineMs: 5_000,
};

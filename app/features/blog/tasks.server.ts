import type { WorkerTask } from "../../platform/worker-task.ts";

/** `imageKey` signs the paths of the post's images. */
export type PostText = { text: string; origin: string; imageKey: Uint8Array };

export const postTask: WorkerTask<PostText, string> = {
  name: "post",
  queue: "posts",
  deadlineMs: 5_000,
  async load() {
    const { renderUntrusted } = await import("../../lib/text/untrusted-markdown.server.ts");
    const { createImagePathMapper } = await import("./posts/image-paths.server.ts");
    return ({ text, origin, imageKey }) =>
      renderUntrusted(text, { origin, toImagePath: createImagePathMapper(imageKey, origin) });
  },
};

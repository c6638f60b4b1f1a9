import type { TaskCode } from "../../platform/worker-task.ts";
import { type PostText, postTask } from "./posts/worker-task.server.ts";

export const postTaskCode: TaskCode<PostText, string> = {
  task: postTask,
  async load() {
    const { renderUntrusted } = await import("../../lib/text/untrusted-markdown.server.ts");
    const { createImagePathMapper } = await import("./posts/image-paths.server.ts");
    return ({ text, origin, imageKey }) =>
      renderUntrusted(text, { origin, toImagePath: createImagePathMapper(imageKey, origin) });
  },
};

import type { TaskCode } from "../../platform/worker-task.ts";
import { type PostText, postTask } from "./posts/worker-task.server.ts";

export const postCode: TaskCode<PostText, string> = {
  task: postTask,
  async load() {
    const { renderUntrusted } = await import("../../lib/text/untrusted-markdown.server.ts");
    const { imagePathWith: pictureAddressWith } = await import("./posts/image-url.server.ts");
    return ({ text, origin, imageKey: pictureKey }) =>
      renderUntrusted(text, { origin, toImagePath: pictureAddressWith(pictureKey, origin) });
  },
};

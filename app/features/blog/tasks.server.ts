import type { TaskCode } from "../../platform/outside.ts";
import { type PostText, postTask } from "./posts/outside.server.ts";

export const postCode: TaskCode<PostText, string> = {
  task: postTask,
  async load() {
    const { renderUntrusted } = await import("../../lib/text/untrusted-markdown.server.ts");
    const { pictureAddressWith } = await import("./posts/picture-address.server.ts");
    return ({ text, origin, pictureKey }) =>
      renderUntrusted(text, { origin, pictureAddress: pictureAddressWith(pictureKey, origin) });
  },
};

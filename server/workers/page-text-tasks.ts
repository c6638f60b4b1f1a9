import type { WorkerTask } from "../../app/platform/worker-task.ts";
import type { PageText } from "../../app/site-files/page-text.server.ts";

// An editor waits for a saved file, as readers wait for posts, so both use the same queue.
const limits = { queue: "posts", deadlineMs: 5_000 } as const;
const loadCode = () => import("../../app/site-files/page-text.server.ts");

export const pageTask: WorkerTask<{ body: string; origin: string | undefined }, PageText> = {
  name: "page",
  ...limits,
  async load() {
    const { renderPageText } = await loadCode();
    return ({ body, origin }) => renderPageText(body, origin);
  },
};

export const postCheckTask: WorkerTask<string, PageText<null>> = {
  name: "post-check",
  ...limits,
  load: async () => (await loadCode()).checkPostText,
};

import type { TaskCode, WorkerTask } from "../../app/platform/worker-task.ts";
import type { PageText } from "../../app/site-files/page-text.server.ts";

type Page = { body: string; origin: string | undefined };

/** An editor waits for a saved file, as readers wait for posts, so both use the same queue. */
const declareTask = <Input, Output>(name: string): WorkerTask<Input, Output> => ({
  name,
  queue: "posts",
  deadlineMs: 5_000,
});

export const pageTask = declareTask<Page, PageText>("page");

export const postCheckTask = declareTask<string, PageText<null>>("post-check");

const loadCode = () => import("../../app/site-files/page-text.server.ts");

export const pageTaskCode: TaskCode<Page, PageText> = {
  task: pageTask,
  async load() {
    const { renderPageText } = await loadCode();
    return ({ body, origin }) => renderPageText(body, origin);
  },
};

export const postCheckTaskCode: TaskCode<string, PageText<null>> = {
  task: postCheckTask,
  load: async () => (await loadCode()).checkPostText,
};

import type { WorkerTask } from "../../../platform/worker-task.ts";

/** An editor waits for the page, as readers wait for posts, so both use the same queue. */
export const storyTextTask: WorkerTask<{ text: string; origin: string }, string> = {
  name: "story-text",
  queue: "posts",
  deadlineMs: 5_000,
  async load() {
    const { renderStoryMarkdown } = await import("./story-markdown.server.ts");
    return ({ text, origin }) => renderStoryMarkdown(text, origin);
  },
};

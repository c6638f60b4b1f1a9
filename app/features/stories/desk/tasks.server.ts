import type { TaskCode } from "../../../platform/worker-task.ts";
import { storyTextTask } from "./worker-task.server.ts";

export const storyTextTaskCode: TaskCode<{ text: string; origin: string }, string> = {
  task: storyTextTask,
  async load() {
    const { renderStoryMarkdown } = await import("./render.server.ts");
    return ({ text, origin }) => renderStoryMarkdown(text, origin);
  },
};

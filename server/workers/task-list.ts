import { postTask } from "../../app/features/blog/tasks.server.ts";
import { calendarTask, legistarTask } from "../../app/features/events/import/tasks.server.ts";
import { feedTask } from "../../app/features/feeds/tasks.server.ts";
import { officialAlertsTask } from "../../app/features/official-alerts/tasks.server.ts";
import { textsTask } from "../../app/features/search/tasks.server.ts";
import { drawCardTask, outlineTask } from "../../app/features/share-images/tasks.server.ts";
import { storyTextTask } from "../../app/features/stories/desk/tasks.server.ts";
import { weatherTask } from "../../app/features/weather/tasks.server.ts";
import { pageTask, postCheckTask } from "./page-text-tasks.ts";
import type { Tasks } from "./worker-tasks.ts";

/**
 * All tasks that worker threads can run. Workers load this list instead of the features, to use
 * less memory.
 */
export const workerTasks: Tasks = Object.fromEntries(
  [
    feedTask,
    calendarTask,
    legistarTask,
    postTask,
    pageTask,
    postCheckTask,
    textsTask,
    drawCardTask,
    outlineTask,
    storyTextTask,
    weatherTask,
    officialAlertsTask,
  ].map(({ name, load }) => [name, load]),
);

import { postTaskCode } from "../../app/features/blog/tasks.server.ts";
import { calendarCode } from "../../app/features/calendars/tasks.server.ts";
import { feedTaskCode } from "../../app/features/feeds/tasks.server.ts";
import { legistarCode } from "../../app/features/meetings/tasks.server.ts";
import { officialAlertsTaskCode } from "../../app/features/official-alerts/tasks.server.ts";
import { textsTaskCode } from "../../app/features/search/tasks.server.ts";
import { drawCardCode, outlineCode } from "../../app/features/share-images/tasks.server.ts";
import { storyTextTaskCode } from "../../app/features/stories/desk/tasks.server.ts";
import { weatherTaskCode } from "../../app/features/weather/tasks.server.ts";
import { pageTaskCode, postCheckTaskCode } from "./page-text-tasks.ts";
import type { Tasks } from "./worker-tasks.ts";

/**
 * All tasks that worker threads can run. Workers load this list instead of the features, to use
 * less memory.
 */
export const workerTasks: Tasks = Object.fromEntries(
  [
    feedTaskCode,
    calendarCode,
    legistarCode,
    postTaskCode,
    pageTaskCode,
    postCheckTaskCode,
    textsTaskCode,
    drawCardCode,
    outlineCode,
    storyTextTaskCode,
    weatherTaskCode,
    officialAlertsTaskCode,
  ].map(({ task, load }) => [task.name, load]),
);

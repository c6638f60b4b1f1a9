import type { TaskCode } from "../../platform/worker-task.ts";
import type { CardDrawing } from "./card/draw-card.server.ts";
import { drawCardTask } from "./worker-task.server.ts";

export const drawCardCode: TaskCode<CardDrawing, string> = {
  task: drawCardTask,
  async load() {
    const { drawCard } = await import("./card/draw-card.server.ts");
    return drawCard;
  },
};

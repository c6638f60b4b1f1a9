import type { TaskCode } from "../../platform/worker-task.ts";
import type { CardDrawing } from "./card/draw-card.server.ts";
import type { Outline, OutlineRequest } from "./text/outline-text.server.ts";
import { drawCardTask, outlineTask } from "./worker-task.server.ts";

export const drawCardCode: TaskCode<CardDrawing, string> = {
  task: drawCardTask,
  async load() {
    const { drawCard } = await import("./card/draw-card.server.ts");
    return drawCard;
  },
};

export const outlineCode: TaskCode<OutlineRequest, Outline> = {
  task: outlineTask,
  async load() {
    const { outlineText } = await import("./text/outline-text.server.ts");
    return outlineText;
  },
};

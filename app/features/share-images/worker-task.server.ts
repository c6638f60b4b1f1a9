import type { WorkerTask } from "../../platform/worker-task.ts";
import type { CardDrawing } from "./card/draw-card.server.ts";

/** Draws a card as an SVG. Its texts may come from other servers. */
export const drawCardTask: WorkerTask<CardDrawing, string> = {
  name: "share-card",
  queue: "images",
  deadlineMs: 2_000,
};

import type { WorkerTask } from "../../platform/worker-task.ts";
import type { CardDrawing } from "./card/draw-card.server.ts";
import type { Outline, OutlineRequest } from "./text/outline-text.server.ts";

/** Draws a card as an SVG. Its texts may come from other servers. */
export const drawCardTask: WorkerTask<CardDrawing, string> = {
  name: "share-card",
  queue: "images",
  deadlineMs: 2_000,
  load: async () => (await import("./card/draw-card.server.ts")).drawCard,
};

/** Draws a line of text as outlines, for the wordmark and the icon of a city. */
export const outlineTask: WorkerTask<OutlineRequest, Outline> = {
  name: "outline",
  queue: "images",
  deadlineMs: 2_000,
  load: async () => (await import("./text/outline-text.server.ts")).outlineText,
};

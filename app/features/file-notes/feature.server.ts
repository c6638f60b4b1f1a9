import type { Feature } from "../../platform/feature.ts";
import { notesOf } from "./notes.server.ts";
import { takenDownPaths } from "./taken-down.server.ts";

/** Stores what editors decided at the desk about files and imported events. */
export const fileNotes: Feature = {
  name: "file-notes",
  sharedReads: () => [notesOf("story"), notesOf("post"), notesOf("event"), takenDownPaths],
};

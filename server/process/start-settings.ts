import { totalmem } from "node:os";
import { smallMemory } from "../../db/pglite/small-memory.ts";

type StartSettings = { flags: string[]; env: Record<string, string> };

/** With less memory than this, the server starts with the settings that need little memory. */
const smallBelowBytes = 1_100_000_000;

/**
 * Without --liftoff-only, the server would need 860 MB for a while, and afterwards 140 MB more than
 * with it.
 */
const fast: StartSettings = {
  flags: ["--liftoff-only", "--max-semi-space-size=16"],
  env: smallMemory.env,
};

/** Returns the memory that the server may use: that of the machine, or of its control group. */
export const readMemoryBytes = () =>
  // Without a limit, constrainedMemory returns 0 or a number that is larger than any memory.
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

export const chooseStartSettings = (memoryBytes: number): StartSettings =>
  memoryBytes < smallBelowBytes ? smallMemory : fast;

/**
 * The options with which a process that runs PGlite needs the least memory, at the cost of time:
 * see docs/decisions/026. V8 and the C library accept them only at the start of a process.
 */
export const smallMemory = {
  flags: ["--liftoff-only", "--max-semi-space-size=4", "--heap-growing-percent=30"],
  env: { MALLOC_ARENA_MAX: "2" },
};

import { expect, it } from "vitest";
import { createBatcher } from "./batch.server.ts";

/**
 * Creates a createTestBatcher of numbers, where the size of each part is the number itself. `runs`
 * records which numbers ran together. A run fails if it contains a number from `refused`.
 */
function createTestBatcher(maxSize: number, refused: number[] = []) {
  const runs: number[][] = [];
  const add = createBatcher({
    sizeOf: (part: number) => part,
    maxSize,
    async run(parts) {
      runs.push(parts);
      await Promise.resolve();
      if (parts.some((part) => refused.includes(part))) throw new Error(`refused ${parts.join()}`);
      return parts.map((part) => part * 10);
    },
  });
  return { add, runs };
}

it("runs the first part immediately, and the parts that arrive during that run together", async () => {
  const { add, runs } = createTestBatcher(100);
  expect(await Promise.all([1, 2, 3].map(add))).toEqual([10, 20, 30]);
  expect(runs).toEqual([[1], [2, 3]]);
  expect(await add(4)).toBe(40);
});

it("keeps batches within the maximum size, and runs a larger part alone", async () => {
  const { add, runs } = createTestBatcher(10);
  expect(await Promise.all([1, 4, 6, 3, 99, 0, 2].map(add))).toEqual([10, 40, 60, 30, 990, 0, 20]);
  expect(runs).toEqual([[1], [4, 6], [3], [99], [0, 2]]);
});

it("fails only the bad part of a batch, not the others", async () => {
  const { add, runs } = createTestBatcher(100, [3]);
  const results = await Promise.allSettled([1, 2, 3, 4].map(add));
  expect(results).toEqual([
    { status: "fulfilled", value: 10 },
    { status: "fulfilled", value: 20 },
    { status: "rejected", reason: new Error("refused 3") },
    { status: "fulfilled", value: 40 },
  ]);
  expect(runs).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
});

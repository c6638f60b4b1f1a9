import { expect, it } from "vitest";
import { truncateAtWord } from "./truncate-at-word.ts";

it.each([
  ["Short enough.", "Short enough."],
  ["Twenty characters it", "Twenty characters it"],
  ["The harbor froze, twice over", "The harbor froze…"],
  ["One two three four – five six", "One two three four…"],
  ["Llanfairpwllgwyngyllgogerych", "Llanfairpwllgwyngyl…"],
  [`${"🦀".repeat(11)}`, `${"🦀".repeat(9)}…`],
])("%j becomes %j in 20 characters", (text, short) => {
  expect(truncateAtWord(text, 20)).toBe(short);
});

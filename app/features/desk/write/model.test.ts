import { expect, it } from "vitest";
import { emptyFields, mergeFields } from "./model.ts";

it("an entry that was added elsewhere joins what an editor typed, unless both changed the same", () => {
  const base = { ...emptyFields, title: "Ferry", text: "It is late." };
  const other = { ...base, text: "It is late.\n\n## 12:30\n\nIt is here.", isLive: true };
  const typed = { ...base, title: "The ferry", text: "It was late." };
  expect(mergeFields(base, typed, other)).toEqual({
    ...typed,
    text: "It was late.\n\n## 12:30\n\nIt is here.",
    isLive: true,
  });
  expect(mergeFields(base, typed, { ...base, title: "Another title" })).toBeNull();
  expect(mergeFields(base, typed, { ...base, text: "Another text" })).toBeNull();
  expect(mergeFields(base, base, { ...base, text: "Another text" })?.text).toBe("Another text");
  expect(mergeFields(base, typed, { ...base, title: typed.title })?.title).toBe(typed.title);
  const [own, others] = ["It was late.", "It is a boat."].map((text) => ({ date: "", text }));
  const corrected = { ...base, corrections: others ? [others] : [] };
  expect(mergeFields(base, { ...base, corrections: own ? [own] : [] }, corrected)).toMatchObject({
    corrections: [own, others],
  });
});

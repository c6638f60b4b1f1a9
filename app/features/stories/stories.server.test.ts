import { expect, it } from "vitest";
import type { StoryFile } from "./files.server.ts";
import { pickStories } from "./stories.server.ts";

const stories: StoryFile[] = ["2026-01-01", "2026-03-01", "2026-02-01", "2026-04-01"].map(
  (date, index) => ({
    id: `story${index}`,
    html: "",
    headings: [],
    front: {
      title: `Story ${index}`,
      excerpt: "",
      category: "",
      date,
      sample: false,
      image: { file: "a.svg", alt: "", width: 1, height: 1 },
    },
  }),
);
const pickIds = (...args: Parameters<typeof pickStories>) =>
  pickStories(...args).map(({ id }) => id);

it("picks the listed stories first, then the newest stories that the page does not show yet", () => {
  expect(pickIds(stories, ["story2", "gone", "story0"], 3)).toEqual(["story2", "story0", "story3"]);
  expect(pickIds(stories, [], 3, ["story3"])).toEqual(["story1", "story2", "story0"]);
  expect(pickIds(stories.slice(0, 1), ["story3"], 3)).toEqual(["story0"]);
  expect(pickIds([], ["story3"], 3)).toEqual([]);
});

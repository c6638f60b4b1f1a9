import { expect, it } from "vitest";
import { addSource } from "./add-source.server.ts";

const section = (name: string, feed: string) => `  ${name}:
    heading: ${name}
    intro: Text.
    description: Text.
    feeds:
      ${name}:
${feed}`;
const withFeed = (feed: string) => `places: []
widgetPoster: { file: street.svg }
sections:
${section("local", feed)}${section("news", "        title: News\n        description: Text.\n")}${section("archives", "        title: Old\n        description: Text.\n")}`;
const source = { name: "City Paper", url: "https://paper.example.com/feed" };
const lines = `        sources:
          - name: "City Paper"
            url: https://paper.example.com/feed
`;

it.each([
  ["a line of text", "        title: Local\n        description: Text.\n"],
  [
    "a block of text",
    "        title: Local\n        description: >-\n          Text.\n          More.\n",
  ],
])("the first source of a feed is added below %s", (_, feed) => {
  expect(addSource(withFeed(feed), "local", source)).toEqual({
    ok: true,
    yaml: withFeed(feed + lines),
  });
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeLimit } from "../app/lib/http/limits.server.ts";
import { visitorLimits } from "../server/composition.ts";

it("the operations guide has the table of what visitors may send", () => {
  const lines = readFileSync("docs/operations.md", "utf8").split("\n");
  const head = lines.findIndex((line) => /^\| what +\| one visitor/.test(line));
  const end = lines.indexOf("", head);
  const rows = lines.slice(head + 2, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const expected = visitorLimits.map(describeLimit);
  expect(rows).toEqual(expected.map(({ what, visitor, all }) => [what, visitor, all]));
});

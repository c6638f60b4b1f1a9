import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { siteSettingsFile } from "./files.server.ts";

const source = readFileSync("sites/baltimore/site.yaml", "utf8");

it.each([
  ["baltimore.example", /^must be /],
  ["https://baltimore.example/", "must be only a scheme and a host, without a slash at the end"],
])("an editor who writes the origin %s gets one message about it", (origin, message) => {
  const parsed = siteSettingsFile.parse(source.replace(/^origin: .*/m, `origin: ${origin}`));
  expect(parsed).toMatchObject({
    ok: false,
    problems: [{ field: "origin", message: expect.stringMatching(message) }],
  });
});

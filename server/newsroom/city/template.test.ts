import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { render } from "./template.ts";

it("keeps the lines of the parts that a city has", () => {
  const template = "one {{city}}\n{{if blog}}\nblog\n{{end}}\n{{if events}}\nevents\n{{end}}\nend";
  const rendered = render(template, { city: "Denver" }, (part) => part === "events");
  expect(rendered).toBe("one Denver\nevents\nend");
});

it("a new city's privacy page says the same as Baltimore's about what the site stores", async () => {
  const names = {
    name: "Harborline Baltimore",
    shortName: "Harborline",
    domain: "baltimore.harborline.example",
    today: "",
  };
  const template = render(await readFile("templates/city/privacy.md", "utf8"), names);
  const first = await readFile("sites/baltimore/privacy.md", "utf8");
  const paragraphs = (text: string) =>
    text
      .slice(text.indexOf("## The short version"), text.indexOf("## Changes"))
      .split("\n\n")
      .map((paragraph) => paragraph.trim());
  // A new city has no radio.
  const expected = paragraphs(first).filter((paragraph) => !paragraph.startsWith("**Radio.**"));
  expect(paragraphs(template)).toEqual(expected);
});

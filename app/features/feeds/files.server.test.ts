import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findCategorySection, labelSources, listCategories, sectionsFile } from "./files.server.ts";

const parsed = sectionsFile.parse(readFileSync("sites/baltimore/sections.yaml", "utf8"));
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
const sections = parsed.value;

describe("the sections", () => {
  it("label every source that is not local with the name of its section", () => {
    const labels = labelSources(sections);
    expect(labels.get("npr-national")).toBe("National");
    expect(labels.get("bbc-world")).toBe("World");
    expect(labels.has("baltimore-brew")).toBe(false);
    expect([...labels.values()]).not.toContain("Local");
  });

  it("show the stories of their own name and heading, and of the categories that they list", () => {
    expect(listCategories(sections.sections, "realestate")).toEqual(["realestate", "Real Estate"]);
    expect(findCategorySection(sections, "REAL ESTATE")).toMatchObject({ path: "/realestate" });
    expect(findCategorySection(sections, "history")).toMatchObject({
      path: "/local",
      heading: "Local News",
    });
    // /news and /archives show all stories, so no story belongs only to them.
    expect(findCategorySection(sections, "News")).toBeNull();
  });
});

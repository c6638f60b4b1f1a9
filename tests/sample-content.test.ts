import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { expect, it } from "vitest";
import { booksFile } from "../app/features/books/files.server.ts";
import { faqFile } from "../app/features/faq/files.server.ts";
import { siteFiles } from "../server/composition.ts";
import { listFiles } from "../server/site/check-file.ts";
import { readSite } from "../server/site/site-files.ts";
import { readText } from "./support/html.ts";

// How much sample content we ship. Other tests do not depend on these numbers.
const folder = "sites/baltimore";

it("the FAQ has 19 categories with five questions each, without duplicates, and full answers", async () => {
  const { categories } = (await readSite(folder, [faqFile])).read(faqFile);
  expect(categories.map(({ name }) => name)).toEqual([
    "General Information",
    "News Coverage",
    "Community & Events",
    "Business & Economy",
    "Education",
    "Transportation",
    "Health & Safety",
    "Arts & Culture",
    "Food & Dining",
    "Real Estate",
    "Technology",
    "Environment",
    "Contact & Submissions",
    "Advertising",
    "Technical Support",
    "Privacy & Legal",
    "Archives",
    "Baltimore Specific",
    "Special Features",
  ]);
  for (const { name, questions } of categories) expect(questions, name).toHaveLength(5);
  const questions = categories.flatMap((category) => category.questions);
  expect(new Set(questions.map(({ question }) => question)).size).toBe(questions.length);
  for (const { question, answer } of questions)
    expect(readText(answer).length, question).toBeGreaterThan(150);
});

it("the value of every site file can be stored, so that a start can reuse it", async () => {
  for (const source of siteFiles)
    for (const file of await listFiles(folder, source)) {
      const text = await readFile(join(folder, file.path), "utf8").catch(() => null);
      const parsed = text === null ? null : file.parse(text, "https://city.example");
      if (!parsed?.ok) continue;
      expect(deserialize(serialize(parsed.value)), file.path).toStrictEqual(parsed.value);
    }
});

it("there are 45 books", async () => {
  expect((await readSite(folder, [booksFile])).read(booksFile).books).toHaveLength(45);
});

it("there are eight stories of a readable length", () => {
  const names = readdirSync(`${folder}/news`);
  expect(names).toHaveLength(8);
  for (const name of names) {
    const [, , text = ""] = readFileSync(`${folder}/news/${name}`, "utf8").split(/^---$/m);
    const wordCount = text.trim().split(/\s+/).length;
    expect(wordCount, name).toBeGreaterThanOrEqual(290);
    expect(wordCount, name).toBeLessThanOrEqual(600);
  }
});

import { cpSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { siteSettingsFile } from "../../app/features/brand/feature.server.ts";
import { checkNetwork, networkFile } from "../../app/features/brand/network-file.server.ts";
import { toProblemSentence } from "../../app/site-files/site-yaml.server.ts";
import { bareHost } from "../../tests/support/command-host.ts";
import { temporaryFolder } from "../../tests/support/server.ts";
import { readCity } from "./validate.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let siteFolder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  siteFolder = join(folder.path, "baltimore");
  await mkdir(siteFolder);
  cpSync("sites/baltimore/art", join(siteFolder, "art"), { recursive: true });
});
beforeEach(() => {
  cpSync("sites/baltimore/site.yaml", join(siteFolder, "site.yaml"));
  cpSync("sites/network.yaml", join(folder.path, "network.yaml"));
});
afterAll(() => folder.remove());

/** Returns what `validate` prints about the two files. */
async function findProblems(): Promise<string[]> {
  const context = { ...bareHost, siteFolder, siteFiles: [siteSettingsFile, networkFile] };
  const reports = await readCity(context, async (city) => checkNetwork(city));
  return reports.flatMap(({ file, problems }) =>
    problems.map((problem) => `${file}: ${toProblemSentence(problem)}`),
  );
}

it("the network as shipped has no problems", async () => {
  expect(await findProblems()).toEqual([]);
});

it.each([
  [
    "../network.yaml",
    ["default: baltimore", "default: balitmore"],
    "Line 7: default names balitmore, which is not one of the cities below. Did you mean `baltimore`?",
  ],
  [
    "../network.yaml",
    ["id: norfolk", "id: annapolis"],
    "Line 13: id in entry 3 of cities is the same as in an earlier line: annapolis.",
  ],
  [
    "../network.yaml",
    ["https://norfolk.harborline.example", "norfolk.harborline.example"],
    "Line 13: url in entry 3 of cities must be a full URL, such as https://www.example.com/.",
  ],
  ["../network.yaml", ["name: Harborline\n", ""], "Line 1: name is missing."],
  [
    "site.yaml",
    ["[annapolis, ", "[anapolis, "],
    "Line 9: network.cities names anapolis, which is not a city of ../network.yaml. Did you mean `annapolis`?",
  ],
  [
    "site.yaml",
    ["{ name: Harborline, cities: [annapolis, norfolk, wilmington] }", "Harborline"],
    "Line 9: network must have a name, and the cities to show: { name: Harborline, cities: [] }.",
  ],
] as const)("a mistake in %s, %j, is explained", async (file, [from, to], sentence) => {
  const path = join(siteFolder, file);
  const source = await readFile(path, "utf8");
  expect(source).toContain(from);
  await writeFile(path, source.replace(from, to));
  expect(await findProblems()).toEqual([`${file}: ${sentence}`]);
});

it("a network.yaml that links to another folder is not read", async () => {
  const elsewhere = await temporaryFolder();
  cpSync("sites/network.yaml", join(elsewhere.path, "network.yaml"));
  await folder.remove();
  await mkdir(siteFolder, { recursive: true });
  await symlink(join(elsewhere.path, "network.yaml"), join(folder.path, "network.yaml"));
  expect((await findProblems()).join("\n")).toMatch(/^\.\.\/network\.yaml: The file is a link/m);
  await elsewhere.remove();
});

import { cpSync, readFileSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ServerBuild } from "react-router";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blogFolder } from "../../app/features/blog/files.server.ts";
import { contactFile } from "../../app/features/brand/contact-file.server.ts";
import { siteSettingsFile } from "../../app/features/brand/files.server.ts";
import { briefFile } from "../../app/features/brief/files.server.ts";
import { communityFile } from "../../app/features/community/files.server.ts";
import { donationFile } from "../../app/features/donation/files.server.ts";
import { eventsFile, eventsFolder } from "../../app/features/events/files.server.ts";
import { sectionsFile } from "../../app/features/feeds/files.server.ts";
import { homeFile } from "../../app/features/home/files.server.ts";
import { navigationFile } from "../../app/features/layout/files.server.ts";
import { privacyFile, termsFile } from "../../app/features/legal/files.server.ts";
import { neighborhoodsFile } from "../../app/features/places/files.server.ts";
import { radioFile } from "../../app/features/radio/files.server.ts";
import { newsFolder } from "../../app/features/stories/files.server.ts";
import type { SiteFile } from "../../app/site-files/site-file.server.ts";
import { toProblemSentence } from "../../app/site-files/site-yaml.server.ts";
import { fileMistakes } from "../../tests/fixtures/mistakes/files.ts";
import { photoMistakes } from "../../tests/fixtures/mistakes/photos.ts";
import { validFiles } from "../../tests/fixtures/mistakes/valid-files.ts";
import { yamlMistakes } from "../../tests/fixtures/mistakes/yaml.ts";
import { bareHost } from "../../tests/support/command-host.ts";
import { temporaryFolder } from "../../tests/support/server.ts";
import { features } from "../features.ts";
import { readRouteTable } from "../pages/route-table.ts";
import { runCommand } from "./commands.ts";
import { createReferenceCheck } from "./cross-checks.ts";
import { createValidateCommand, readCity } from "./validate.ts";

const mistakes = [...yamlMistakes, ...fileMistakes, ...photoMistakes];

const copiedFiles = [
  siteSettingsFile,
  navigationFile,
  contactFile,
  donationFile,
  homeFile,
  newsFolder,
  eventsFile,
  eventsFolder,
  radioFile,
  communityFile,
  privacyFile,
  termsFile,
];
/** The temporary city has no neighborhoods.yaml. */
const siteFiles = [...copiedFiles, blogFolder, neighborhoodsFile];

const linksOut = ["covers/password.jpg", "art/password.svg", "news/password.md"];

const module = { default: () => null };
/** The pages that the city's navigation links to. */
const pages = (
  "news events blog about contact community community/submit radio privacy terms faq search local national world " +
  "politics business technology automotive realestate health sports culture food lifestyle opinion archives partners " +
  "books newsletter feeds.opml alerts status events/submit stories corrections brief meetings weather saved offline"
).split(" ");
const routes = readRouteTable({
  home: { id: "home", index: true, module },
  ...Object.fromEntries(
    [...pages, "news/:slug", "events/:id", "blog/:slug", "*"].map((path) => [
      path,
      { id: path, path, module },
    ]),
  ),
} as ServerBuild["routes"]);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let sentences: Map<string, string[]>;
let notes: Map<string, string[]>;

beforeAll(async () => {
  folder = await temporaryFolder();
  const files = copiedFiles.map((source) => ("path" in source ? source.path : source.folder));
  for (const file of [...files, "art"])
    cpSync(join("sites/baltimore", file), join(folder.path, file), { recursive: true });
  for (const [file, content] of [...mistakes, ...validFiles]) {
    const path = join(folder.path, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(
      path,
      typeof content === "function" ? content(await readFile(path, "utf8")) : content,
    );
  }
  const photo = await sharp({
    create: {
      width: 160,
      height: 120,
      channels: 3,
      background: "navy",
      noise: { type: "gaussian", sigma: 30 },
    },
  })
    .jpeg()
    .toBuffer();
  await writeFile(join(folder.path, "art/whole.jpg"), photo);
  await writeFile(join(folder.path, "art/cut.jpg"), photo.subarray(0, photo.length / 2));
  await mkdir(join(folder.path, "covers"));
  for (const link of linksOut) await symlink(import.meta.filename, join(folder.path, link));
  const reports = await readCity(
    { ...bareHost, siteFolder: folder.path, siteFiles },
    createReferenceCheck(features, routes),
  );
  sentences = new Map(reports.map(({ file, problems }) => [file, problems.map(toProblemSentence)]));
  notes = new Map(reports.map(({ file, remarks }) => [file, remarks]));
});
afterAll(() => folder.remove());

it.each(mistakes)(
  "validation explains the mistake in %s, with its line and the correction",
  (file, _content, sentence) => {
    expect(sentences.get(file)).toEqual([sentence]);
  },
);

it.each(linksOut)("validation names %s, which links to a file outside the city", (link) => {
  expect(sentences.get(link)).toEqual([
    "The file is a link to a file outside the city folder, so readers do not get it: copy the file itself.",
  ]);
});

/**
 * Each case changes one line of home.yaml. There are complete brackets above and below that line.
 */
it.each([
  ["featured: trash-wheel", "Line 23: featured must be a list, such as [trash-wheel]."],
  ["featured: [trash-wheel, duckpins", "Line 23: the [ has no closing ]."],
  ["featured:\n-trash-wheel", "Line 24: put a space after the - of a list."],
  ["featured:\n  * trash-wheel", "Line 24: begin each entry of a list with a - and a space."],
  [
    "featured:\n  • trash-wheel\n  • duckpins",
    "Line 24: featured must be a list: begin each entry on a separate line, with a - and a space.",
  ],
  ["featured:[trash-wheel]", "Line 23: put a space after the colon: featured: [trash-wheel]."],
  [
    " featured: [trash-wheel]",
    "Line 23: this line begins in the wrong column: settings of one group begin in the same column.",
  ],
  ["\tfeatured: [trash-wheel]", "Line 23: indent with spaces, not with a tab."],
])("validation explains %j in home.yaml", (line, sentence) => {
  const source = readFileSync("sites/baltimore/home.yaml", "utf8");
  const parsed = homeFile.parse(source.replace(/^# featured: .*$/m, line));
  expect(parsed.ok ? [] : parsed.problems.map(toProblemSentence)).toEqual([sentence]);
});

const wrongColumn =
  "this line begins in the wrong column: settings of one group begin in the same column.";
const append = (text: string) => (source: string) => `${source}${text}`;

/** Each case makes one mistake in a shipped file. */
it.each<[file: SiteFile<unknown>, edit: (source: string) => string, sentence: string]>([
  // Lists
  [
    neighborhoodsFile,
    append("- name: Woodberry\nwords: [Woodberry]\n"),
    "Line 105: put two spaces before words.",
  ],
  [
    neighborhoodsFile,
    (source) => source.replace("  words: [Canton]", "words: [Canton]"),
    "Line 16: put two spaces before words.",
  ],
  [
    neighborhoodsFile,
    append("-name: Woodberry\n  words: [Woodberry]\n"),
    "Line 104: put a space after the - of a list.",
  ],
  [
    neighborhoodsFile,
    (source) => source.replace("- name: Bolton Hill", "-name: Bolton Hill"),
    "Line 14: put a space after the - of a list.",
  ],
  // Columns
  [
    radioFile,
    (source) => source.replace(" title: Morning Tide", "title: Morning Tide"),
    `Line 33: ${wrongColumn}`,
  ],
  [sectionsFile, (source) => source.replace(/^ ( +url: )/m, "$1"), `Line 71: ${wrongColumn}`],
  [
    sectionsFile,
    (source) => source.replace("  world:\n", "  worlds:\n"),
    "Line 130: sections.worlds is not a section that a city can have. Did you mean `world`?",
  ],
  [
    siteSettingsFile,
    append("without: [radios]\n"),
    "Line 55: entry 1 of without must be one of radio, books, blog, events. Did you mean `radio`?",
  ],
  [briefFile, append(" - text: Short fact.\n"), `Line 108: ${wrongColumn}`],
  [briefFile, append("    - text: Short fact.\n"), `Line 108: ${wrongColumn}`],
  [briefFile, append("- text: Short fact.\n"), `Line 108: ${wrongColumn}`],
  // Text in place of settings
  [
    neighborhoodsFile,
    append("- Woodlawn\n"),
    'Line 104: an entry of this list must have settings: write "- name: Woodlawn".',
  ],
  [
    neighborhoodsFile,
    append("- name:Woodlawn\n"),
    "Line 104: put a space after the colon: name: Woodlawn.",
  ],
  [
    neighborhoodsFile,
    append("-\n"),
    'Line 104: this entry of the list is empty: write "- name: …", or delete the -.',
  ],
  [
    neighborhoodsFile,
    () => "name: Woodlawn\n",
    "Line 1: the file must be a list: begin each entry with a - and a space.",
  ],
  [
    briefFile,
    append("  - Short fact.\n"),
    'Line 108: an entry of this list must have settings: write "- text: Short fact.".',
  ],
  [
    briefFile,
    append("  - text: Short fact.\n    link: /blog/x\n"),
    "Line 109: link in entry 27 of facts must have settings: write link: { label: …, url: /blog/x }.",
  ],
  [
    radioFile,
    (source) => source.replace(/^artwork:\n.*/m, "artwork: radio-artwork.png"),
    "Line 20: artwork must have settings: write artwork: { file: radio-artwork.png }.",
  ],
])("validation explains mistake %# in a shipped file", ({ path, parse }, edit, sentence) => {
  const parsed = parse(edit(readFileSync(join("sites/baltimore", path), "utf8")));
  expect(parsed.ok ? [] : parsed.problems.map(toProblemSentence)).toEqual([sentence]);
});

it("validation notes a date in the future, with its line and what readers see", () => {
  expect(notes.get("news/tomorrow.md")).toEqual([
    'Line 5: date is in the future (2099-10-26), and readers see the story only then. Run "./newsroom stories preview tomorrow" to read it now.',
  ]);
  expect(notes.get("blog/tomorrow.md")).toEqual([
    'Line 4: date is in the future (2099-10-26), and readers see the post only then. Run "./newsroom blog preview tomorrow" to read it now.',
  ]);
  expect(notes.get("news/mark.md")).toEqual([]);
});

it("validation notes an optional file that does not exist, and does not count it", async () => {
  expect(notes.get("neighborhoods.yaml")).toEqual([
    "the file does not exist: no neighborhoods are shown.",
  ]);
  const city = join(folder.path, "small-city");
  await mkdir(city);
  for (const { path } of [contactFile, donationFile])
    cpSync(join("sites/baltimore", path), join(city, path));
  const lines: string[] = [];
  const code = await runCommand([createValidateCommand(async () => [])], ["validate"], {
    ...bareHost,
    siteFolder: city,
    siteFiles: [contactFile, donationFile, neighborhoodsFile],
    print: (line) => lines.push(line),
  });
  expect(code).toBe(0);
  expect(lines).toEqual([
    "✓ contact.yaml",
    "✓ donation.yaml",
    "– neighborhoods.yaml",
    "    note: the file does not exist: no neighborhoods are shown.",
    "",
    "All 2 files are valid.",
  ]);
});

it("validation notes a photo that no story uses, and no other photo", () => {
  expect(notes.get("news/unused.webp")).toEqual([
    "no file in news/ names this photo, so readers do not get it.",
  ]);
  for (const photo of ["Used-Photo.JPG", "empty.jpg", "really-heic.jpg"])
    expect(notes.get(`news/${photo}`), photo).toBeUndefined();
});

it("validation finds no problem in any other file, whether the site uses it or not", () => {
  const filesWithProblems = [...sentences]
    .filter(([, each]) => each.length > 0)
    .map(([file]) => file);
  const expected = [...mistakes.map(([file]) => file), ...linksOut];
  expect(filesWithProblems.toSorted()).toEqual(expected.toSorted());
  expect(mistakes.length).toBeGreaterThan(25);
});

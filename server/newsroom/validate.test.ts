import { cpSync, readFileSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ServerBuild } from "react-router";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blogFolder } from "../../app/features/blog/files.server.ts";
import { contactFile } from "../../app/features/brand/contact-file.server.ts";
import { siteSettingsFile } from "../../app/features/brand/files.server.ts";
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
import { createStory } from "../../tests/fixtures/mistakes/samples.ts";
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

const linkOut = "news/password.md";
const manyMistakes = "news/many.md";
const earlyUpdate = "news/early.md";

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

/** A line of home.yaml that the tests replace. */
const featured = /^# featured: .*$/m;

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
  await writeFile(
    join(folder.path, manyMistakes),
    createStory((source) =>
      source
        .replace(/category.*\n/, "")
        .replace("2026-10-26", "10/26/2026")
        .replace("arabber", "arrabber")
        .replace("The first words.", "<b>New</b>: [us](/abuot).\n\n<iframe src=x></iframe>"),
    ),
  );
  await writeFile(
    join(folder.path, earlyUpdate),
    createStory((source) =>
      source.replace(/category.*\n/, "").replace("image:", "updated: 2026-10-01\nimage:"),
    ),
  );
  await symlink(import.meta.filename, join(folder.path, linkOut));
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
    expect(sentences.get(file)).toContain(sentence);
  },
);

it("validation shows all problems of a file at once, in the order of its lines", () => {
  expect(sentences.get(manyMistakes)).toEqual([
    "Line 2: category is missing.",
    "Line 4: date must be a day such as 2026-11-15, or a day and a time such as 2026-11-15 18:30.",
    "Line 5: there is no arrabber.svg in art/. Did you mean `arabber.svg`?",
    "Line 7: readers would not see the HTML <b>: use Markdown instead, or a link to the page of a video or map.",
    "Line 9: readers would not see the HTML <iframe>: use Markdown instead, or a link to the page of a video or map.",
    "Line 7: the link /abuot leads nowhere. Did you mean `/about`?",
  ]);
  expect(sentences.get(earlyUpdate)).toEqual([
    "Line 2: category is missing.",
    "Line 5: updated is before the story's date, 2026-10-26.",
  ]);
});

it("validation names a link to a file outside the city", () => {
  expect(sentences.get(linkOut)).toEqual([
    "The file is a link to a file outside the city folder, so readers do not get it: copy the file itself.",
  ]);
});

/** Each case changes one line of home.yaml, or makes one mistake in another shipped file. */
it.each<[file: SiteFile<unknown>, edit: (source: string) => string, sentence: string]>([
  [
    homeFile,
    (source) => source.replace(featured, "featured: trash-wheel"),
    "Line 23: featured must be a list: begin each entry on a separate line, with a - and a space.",
  ],
  [
    homeFile,
    (source) => source.replace(featured, "featured:\n-trash-wheel"),
    "Line 24: put a space after the - of a list.",
  ],
  [
    homeFile,
    (source) => source.replace(featured, "featured:[trash-wheel]"),
    "Line 23: put a space after featured:.",
  ],
  [
    homeFile,
    (source) => source.replace(featured, "\tfeatured: [trash-wheel]"),
    "Line 23: indent with spaces, not with a tab.",
  ],
  [
    sectionsFile,
    (source) => source.replace("  world:\n", "  worlds:\n"),
    "Line 130: sections.worlds is not a section that a city can have. Did you mean `world`?",
  ],
  [
    siteSettingsFile,
    (source) => `${source}without: [radios]\n`,
    "Line 55: entry 1 of without must be one of radio, books, blog, events. Did you mean `radio`?",
  ],
  [
    neighborhoodsFile,
    (source) => `${source}- Woodlawn\n`,
    "Line 104: entry 21 of the list must consist of settings, such as title: ….",
  ],
  [
    neighborhoodsFile,
    () => "name: Woodlawn\n",
    "Line 1: the file must be a list: begin each entry on a separate line, with a - and a space.",
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
  const expected = [...mistakes.map(([file]) => file), linkOut, manyMistakes, earlyUpdate];
  expect(filesWithProblems.toSorted()).toEqual(expected.toSorted());
  expect(mistakes.length).toBeGreaterThan(25);
});

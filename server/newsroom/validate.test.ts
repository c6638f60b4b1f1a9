import { cpSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ServerBuild } from "react-router";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blogFolder } from "../../app/features/blog/files.server.ts";
import { contactFile } from "../../app/features/brand/contact-file.server.ts";
import { brandFile } from "../../app/features/brand/files.server.ts";
import { communityFile } from "../../app/features/community/files.server.ts";
import { donationFile } from "../../app/features/donation/files.server.ts";
import { eventsFile, eventsFolder } from "../../app/features/events/files.server.ts";
import { homeFile } from "../../app/features/home/files.server.ts";
import { navigationFile } from "../../app/features/layout/files.server.ts";
import { privacyFile, termsFile } from "../../app/features/legal/files.server.ts";
import { radioFile } from "../../app/features/radio/files.server.ts";
import { newsFolder } from "../../app/features/stories/files.server.ts";
import { sentenceOf } from "../../app/lib/site/site-yaml.server.ts";
import { temporaryFolder } from "../../tests/support/server.ts";
import { bareSetting } from "../../tests/support/setting.ts";
import { features } from "../features.ts";
import { readRouteTable } from "../pages/route-table.ts";
import { createChecks } from "./cross-checks.ts";
import { readCity } from "./validate.ts";

const copied = [
  brandFile,
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
const siteFiles = [...copied, blogFolder];

const module = { default: () => null };
/** What the city's own navigation leads to. */
const pages = (
  "news events blog about contact community community/submit radio privacy terms faq search local national world " +
  "politics business technology automotive realestate health sports culture food lifestyle opinion archives partners " +
  "books newsletter feeds.opml status events/submit"
).split(" ");
const routes = readRouteTable({
  home: { id: "home", index: true, module },
  ...Object.fromEntries(
    [...pages, "news/:id", "events/:id", "blog/:slug", "*"].map((path) => [path, { id: path, path, module }]),
  ),
} as ServerBuild["routes"]);

/** A story that is right, but for what a test changes in it. The title is in line 2, the text begins in line 8. */
const story = (change: (source: string) => string = (source) => source) =>
  change(`---
title: A harbor story
excerpt: What it is about.
category: History
date: 2026-10-26
image: { file: arabber.svg, alt: A cart }
---
The first words.
`);
const titled = (title: string) => story((source) => source.replace("title: A harbor story", title));

/** What an editor does wrong in one file, and the sentence about it. */
const mistakes: [
  file: string,
  content: string | Uint8Array | ((source: string) => string),
  sentence: string,
][] = [
  // YAML
  [
    "news/colon.md",
    titled("title: Harbor: the cleanup"),
    "Line 2: put the title in quotes, it contains a colon.",
  ],
  [
    "news/apostrophe.md",
    titled("title: 'Baltimore's best'"),
    "Line 2: put the title in double quotes, it contains an apostrophe.",
  ],
  [
    "news/quotes.md",
    titled('title: "The "good" harbor"'),
    "Line 2: put all of the title in single quotes, it contains double quotes.",
  ],
  [
    "news/open-quote.md",
    titled('title: "A harbor story'),
    'Line 2: the quote " is never closed: put one at the end of the title.',
  ],
  [
    "news/decade.md",
    titled("title: '90s night at the pier"),
    "Line 2: the quote ' is never closed: put all of the title in double quotes.",
  ],
  [
    "news/dash.md",
    titled("title: - Live: updates"),
    "Line 2: put the title in quotes, it begins with - (a list begins on the next line).",
  ],
  ["news/percent.md", titled("title: % of voters"), "Line 2: put the title in quotes, it begins with %."],
  ["news/and.md", titled("title: & more"), "Line 2: put the title in quotes, it begins with &."],
  ["news/shout.md", titled("title: !Wow, it works"), "Line 2: put the title in quotes, it begins with !."],
  [
    "news/sharp.md",
    titled("title: # 1 in the city"),
    "Line 2: put the title in quotes, or everything from # on is left out.",
  ],
  [
    "news/one-word.md",
    titled("title: [Update]"),
    "Line 2: title must be one text, not a list: put it in quotes if it begins with [.",
  ],
  [
    "news/special-space.md",
    titled("title:\u00a0A harbor story"),
    "Line 2: there is a special space after the colon: delete it and type a space.",
  ],
  [
    "news/invisible.md",
    titled("\u200btitle: A harbor story"),
    "Line 2: title has an invisible character in its name: type the name again.",
  ],
  [
    "news/first-indent.md",
    titled(" title: A harbor story"),
    "Line 2: this line begins in the wrong column: settings of one group begin in the same column.",
  ],
  ["news/first-dash.md", titled("- title: A harbor story"), "Line 2: delete the - before title."],
  [
    "news/strong.md",
    titled("**title**: A harbor story"),
    "Line 2: write the name of a setting without other signs: title: ….",
  ],
  [
    "news/two-lines.md",
    titled("title: A harbor\nstory"),
    'Line 3: this line has no colon: write a setting as "name: value", or put two spaces before a line that continues the text above.',
  ],
  [
    "news/flow-space.md",
    story((source) => source.replace("{ file: ", "{file:")),
    "Line 6: image.file needs a space after its colon: file: arabber.svg.",
  ],
  [
    "news/flow-comma.md",
    story((source) => source.replace("A cart", "A cart, red")),
    "Line 6: image.red is not a setting of this file: put the text that it belongs to in quotes.",
  ],
  [
    "news/flow-colon.md",
    story((source) => source.replace("A cart", "Cart: red")),
    "Line 6: put a comma between the settings inside { }, or quotes around a text that contains a colon.",
  ],
  [
    "news/flow-apostrophe.md",
    story((source) => source.replace("A cart", "'A man's cart'")),
    "Line 6: put the text that contains an apostrophe in double quotes.",
  ],
  [
    "news/flat.md",
    story((source) => source.replace(/image: .*/, "image:\nfile: arabber.svg")),
    "Line 7: file belongs to image: put two spaces before it.",
  ],
  [
    "news/middle-fence.md",
    titled("title: A harbor story\n---"),
    "Line 3: delete this line of ---: more settings follow it.",
  ],
  ["news/at-sign.md", titled("title: @harbor speaks"), "Line 2: put the title in quotes, it begins with @."],
  ["news/star.md", titled("title: *New* in town"), "Line 2: put the title in quotes, it begins with *."],
  ["news/ampersand.md", titled("title: &More of it"), "Line 2: put the title in quotes, it begins with &."],
  ["news/bracket.md", titled("title: [Update] Harbor"), "Line 2: put the title in quotes, it begins with [."],
  [
    "news/number-sign.md",
    titled("title: Pier #6 reopens"),
    "Line 2: put the title in quotes, or everything from # on is left out.",
  ],
  [
    "news/no-space.md",
    titled("title:A harbor story"),
    "Line 2: put a space after the colon: title: A harbor story.",
  ],
  [
    "news/no-colon.md",
    titled("title A harbor story"),
    'Line 2: this line has no colon: write a setting as "name: value".',
  ],
  ["news/twice.md", titled("title: One\ntitle: Two"), "Line 3: title is there twice: delete one of them."],
  ["news/brace.md", story((source) => source.replace(" }", "")), "Line 6: the { has no closing }."],
  [
    "news/tab.md",
    story((source) => source.replace(/image: .*/, "image:\n\tfile: arabber.svg")),
    "Line 7: indent with spaces, not with a tab.",
  ],
  [
    "news/indent.md",
    story((source) => source.replace("category", "  category")),
    "Line 4: this line begins in the wrong column: settings of one group begin in the same column.",
  ],
  [
    "news/conflict.md",
    titled("<<<<<<< HEAD\ntitle: One\n=======\ntitle: Two\n>>>>>>> theirs"),
    "Line 2: two versions were merged here: keep one and delete the lines of <<<<<<<, ======= and >>>>>>>.",
  ],
  // Settings
  [
    "news/misspelt.md",
    titled("titel: A harbor story"),
    "Line 2: titel is not a setting of this file. Did you mean `title`?",
  ],
  ["news/missing.md", story((source) => source.replace(/category.*\n/, "")), "Line 2: category is missing."],
  ["news/empty.md", titled("title:"), "Line 2: title has no value."],
  ["news/number.md", titled("title: 1904"), 'Line 2: title must be text: put it in quotes, "1904".'],
  [
    "news/date.md",
    story((source) => source.replace("2026-10-26", "10/26/2026")),
    "Line 5: date must be written as 2026-10-26.",
  ],
  [
    "news/written-date.md",
    story((source) => source.replace("2026-10-26", "Nov. 5, 2026")),
    "Line 5: date must be written as 2026-11-05.",
  ],
  [
    "news/short-date.md",
    story((source) => source.replace("2026-10-26", "Nov 15")),
    "Line 5: date must be a date such as 2025-04-14.",
  ],
  [
    "news/yes.md",
    story((source) => source.replace("image:", "sample: yes\nimage:")),
    "Line 6: sample must be true or false.",
  ],
  [
    "news/image.md",
    story((source) => source.replace(/image: .*/, "image: arabber.svg")),
    "Line 6: image must be a group of settings, indented below its name.",
  ],
  [
    "radio.yaml",
    (source) => source.replace(/^heading:/m, "headnig:"),
    "Line 6: headnig is not a setting of this file. Did you mean `heading`?",
  ],
  [
    "donation.yaml",
    (source) => source.replace("frequency: every-load", "frequency: every-loud"),
    "Line 3: frequency must be one of every-load, session, day, week, month. Did you mean `every-load`?",
  ],
  [
    "contact.yaml",
    (source) => source.replace(/^email: .*$/m, "email: “desk@harborline.example”"),
    "Line 3: email must be an e-mail address. Use straight quotes, not curly ones.",
  ],
  // Files
  [
    "news/no-fence.md",
    "A text without settings.\n",
    "Line 1: the file must begin with a line of ---, then settings such as title: …, then a second line of ---.",
  ],
  [
    "news/nothing.md",
    "",
    "Line 1: the file is empty: it must begin with a line of ---, then settings such as title: …, then a second line of ---.",
  ],
  [
    "news/blank.md",
    `\n${story()}`,
    "Line 1: the file must begin with a line of ---, without empty lines above it, then settings such as title: …, then a second line of ---.",
  ],
  [
    "news/no-settings.md",
    "---\n---\nText.\n",
    "Line 2: write the settings, such as title: …, between the two lines of ---.",
  ],
  [
    "news/no-text.md",
    story((source) => source.replace("The first words.", "<!-- Anna writes it. -->")),
    "Line 8: the text is missing: write it below the second line of ---.",
  ],
  [
    "blog/no-text.md",
    "---\nmetaTitle: A post\nmetaDescription: About it.\ndate: 2026-10-26\n---\n\n",
    "Line 6: the text is missing: write it below the second line of ---.",
  ],
  [
    "news/one-fence.md",
    story((source) => source.replace("\n---\nThe", "\nThe")),
    "Line 1: the settings need a second line of --- below them.",
  ],
  [
    "news/two-versions.md",
    story((source) => `${source}<<<<<<< HEAD\nIt is open.\n=======\nIt is closed.\n>>>>>>> other\n`),
    "Line 9: two versions were merged here: keep one and delete the lines of <<<<<<<, ======= and >>>>>>>.",
  ],
  [
    "news/My Story.md",
    story(),
    "Rename the file to my-story.md, or to another name if that one is in use: small letters, digits and hyphens, ending in .md.",
  ],
  [
    "news/harbor.markdown",
    story(),
    "The site does not use this file: rename the file to harbor.md, or to another name if that one is in use: small letters, digits and hyphens, ending in .md.",
  ],
  [
    "news/HARBOR.MD",
    story(),
    "The site does not use this file: rename the file to harbor.md, or to another name if that one is in use: small letters, digits and hyphens, ending in .md.",
  ],
  ["donate.yaml", "heading: Give\n", "The site does not use this file. Did you mean `donation.yaml`?"],
  [
    "news/latin.md",
    Buffer.from(titled("title: The Café at the pier"), "latin1"),
    'Line 2: "Café" is not saved as UTF-8: save it again with the encoding UTF-8 (in most editors: "Save as", then "Encoding").',
  ],
  [
    "news/utf16.md",
    Buffer.from(`\ufeff${story()}`, "utf16le"),
    'The file is saved as UTF-16: save it again with the encoding UTF-8 (in most editors: "Save as", then "Encoding").',
  ],
  [
    "news/lost.md",
    titled("title: The Caf\ufffd"),
    'Line 2: a letter was lost in "Caf\ufffd": type it again.',
  ],
  [
    "news/large.md",
    story((source) => source + "word ".repeat(1_100_000)),
    "The file has 5,372 KB, and at most 128 KB are allowed: divide it, or check whether an image was pasted into it.",
  ],
  [
    "news/long.md",
    story((source) => source + "word ".repeat(20_000)),
    "Line 8: the text is too long or too deeply nested for Markdown: make it shorter or simpler.",
  ],
  // What is named and not there
  [
    "news/no-image.md",
    story((source) => source.replace("arabber", "arrabber")),
    "Line 6: there is no arrabber.svg in art/. Did you mean `arabber.svg`?",
  ],
  [
    "news/removed.md",
    story((source) => source.replace("arabber.svg", "removed.jpg")),
    "Line 6: there is no removed.jpg in art/.",
  ],
  [
    "news/damaged.md",
    story((source) => source.replace("arabber.svg", "damaged.jpg")),
    "Line 6: art/damaged.jpg is damaged, or not an image: export it again as JPEG.",
  ],
  [
    "news/cut.md",
    story((source) => source.replace("arabber.svg", "cut.jpg")),
    "Line 6: art/cut.jpg is damaged, so only a part of it can be shown: copy it again, or export it again as JPEG.",
  ],
  [
    "news/photo.md",
    story((source) => `${source}\n![Boats](/art/arraber.svg)\n`),
    "Line 10: there is no arraber.svg in art/. Did you mean `arabber.svg`?",
  ],
  [
    "home.yaml",
    (source) => source.replace("trash-wheel,", "trash-weel,"),
    "Line 22: featured names trash-weel, and there is no news/trash-weel.md. Did you mean `trash-wheel`?",
  ],
  [
    "community.yaml",
    (source) => source.replace("duckpins", "duckpin"),
    "Line 20: stories.items names duckpin, and there is no news/duckpin.md. Did you mean `duckpins`?",
  ],
  [
    "navigation.yaml",
    (source) => source.replace("to: /events", "to: /evnts"),
    "Line 23: the link /evnts leads nowhere. Did you mean `/events`?",
  ],
  [
    "privacy.md",
    (source) => `${source}\n[More](https://baltimore.harborline.example/abuot)\n`,
    "Line 75: the link /abuot leads nowhere. Did you mean `/about`?",
  ],
  [
    "terms.md",
    (source) => `${source}\n[More](/news/trash-weel)\n`,
    "Line 54: the link /news/trash-weel leads nowhere. Did you mean `/news/trash-wheel`?",
  ],
  [
    "news/relative.md",
    story((source) => `${source}\n![A photo](DSC_0042.JPG)\n`),
    "Line 10: the link DSC_0042.JPG needs its whole address: /art/DSC_0042.JPG.",
  ],
  [
    "news/www.md",
    story((source) => `${source}\n[Them](www.example.com)\n`),
    "Line 10: the link www.example.com needs its whole address: https://www.example.com.",
  ],
  [
    "events/open-mic.md",
    (source) => source.replace("category: Books", "category: Boks"),
    "Line 6: category must be one of those in events.yaml: Music, Family, Books, Arts, Outdoors, Food, History, Community. Did you mean `Books`?",
  ],
  [
    "news/iframe.md",
    story((source) => `${source}\n<iframe src="https://v.example/"></iframe>\n`),
    "Line 10: readers would not see the HTML <iframe>: write a link to the page of the video or map instead.",
  ],
  [
    "news/bold.md",
    story((source) => `${source}\nSome <b>bold</b> words.\n`),
    "Line 10: readers would not see the HTML <b>: write **bold** instead.",
  ],
];

/** What an editor may well do. */
const right: [file: string, content: string | Uint8Array][] = [
  ["news/mark.md", `\ufeff${story()}`],
  ["news/windows.md", story((source) => source.replaceAll("\n", "\r\n"))],
  ["news/spaces.md", story((source) => source.replaceAll("---", "--- "))],
  [
    "news/comment.md",
    story(
      (source) => `${source}\n<!-- Ask Anna about this. -->\n\nSee <https://www.example.com/> & 5 < 6.\n`,
    ),
  ],
  ["news/hash.md", titled("title: Pier 6 # the working title")],
  [
    "news/phone.md",
    story((source) => source.replace("arabber.svg", "PHONE.JPG").replace(" }", ", width: 3, height: 2 }")),
  ],
  ["news/jpeg.md", story((source) => source.replace("arabber.svg", "pier.jpeg"))],
  ...["art/PHONE.JPG", "art/pier.jpeg"].map((path): [string, Uint8Array] => [
    path,
    readFileSync("sites/baltimore/art/film-poster.webp"),
  ]),
  ["art/damaged.jpg", "not an image"],
  ["news/whole.md", story((source) => source.replace("arabber.svg", "whole.jpg"))],
  ["news/mac.md", story((source) => source.replaceAll("\n", "\r"))],
  ["news/tomorrow.md", story((source) => source.replace("2026-10-26", "2099-10-26"))],
  ["blog/tomorrow.md", "---\nmetaTitle: A post\nmetaDescription: About it.\ndate: 2099-10-26\n---\nWords.\n"],
  ...["harborline.webm", "harborline.mp4", "captions.vtt"].map((name): [string, string] => [
    `film/${name}`,
    "",
  ]),
  ["README.md", "How we work.\n"],
  [".DS_Store", "x"],
  ["news/.draft.md.swp", "x"],
];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let sentences: Map<string, string[]>;
let notes: Map<string, string[]>;

beforeAll(async () => {
  folder = await temporaryFolder();
  const files = copied.map((source) => ("path" in source ? source.path : source.folder));
  for (const file of [...files, "art"])
    cpSync(join("sites/baltimore", file), join(folder.path, file), { recursive: true });
  for (const [file, content] of [...mistakes, ...right]) {
    const path = join(folder.path, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === "function" ? content(await readFile(path, "utf8")) : content);
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
  const readings = await readCity(
    { ...bareSetting, siteFolder: folder.path, siteFiles },
    createChecks(features, () => routes),
  );
  sentences = new Map(readings.map(({ file, problems }) => [file, problems.map(sentenceOf)]));
  notes = new Map(readings.map(({ file, remarks }) => [file, remarks]));
}, 30_000);
afterAll(() => folder.remove());

it.each(mistakes)(
  "a mistake in %s is explained, with its line and what to do",
  (file, _content, sentence) => {
    expect(sentences.get(file)).toEqual([sentence]);
  },
);

/** Each is one change to home.yaml, which has brackets that are closed above and below it. */
it.each([
  ["featured: trash-wheel", "Line 22: featured must be a list, such as [trash-wheel]."],
  ["featured: [trash-wheel, duckpins", "Line 22: the [ has no closing ]."],
  ["featured:\n-trash-wheel", "Line 23: put a space after the - of a list."],
  ["featured:\n  * trash-wheel", "Line 23: begin each entry of a list with a - and a space."],
  [
    "featured:\n  • trash-wheel\n  • duckpins",
    "Line 23: featured must be a list: begin each entry on a line of its own, with a - and a space.",
  ],
  ["featured:[trash-wheel]", "Line 22: put a space after the colon: featured: [trash-wheel]."],
  [
    " featured: [trash-wheel]",
    "Line 22: this line begins in the wrong column: settings of one group begin in the same column.",
  ],
  ["\tfeatured: [trash-wheel]", "Line 22: indent with spaces, not with a tab."],
])("%j in home.yaml is explained", (line, sentence) => {
  const source = readFileSync("sites/baltimore/home.yaml", "utf8");
  const parsed = homeFile.parse(source.replace(/^featured: .*$/m, line));
  expect(parsed.ok ? [] : parsed.problems.map(sentenceOf)).toEqual([sentence]);
});

it("a date in the future is noted, with its line and what readers see", () => {
  expect(notes.get("news/tomorrow.md")).toEqual([
    "Line 5: date is in the future (2099-10-26), and readers see the story already.",
  ]);
  expect(notes.get("blog/tomorrow.md")).toEqual([
    "Line 4: date is in the future (2099-10-26), and readers see the post from then on.",
  ]);
  expect(notes.get("news/mark.md")).toEqual([]);
});

it("nothing else is wrong, in files that are read and beside them", () => {
  const wrong = [...sentences].filter(([, each]) => each.length > 0).map(([file]) => file);
  expect(wrong.toSorted()).toEqual(mistakes.map(([file]) => file).toSorted());
  expect(mistakes.length).toBeGreaterThan(25);
});

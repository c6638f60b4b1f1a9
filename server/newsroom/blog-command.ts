import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { networkDomains, ownDomain } from "../../app/features/blog/backend/source.server.ts";
import { blogFile, blogFolder, postDate } from "../../app/features/blog/files.server.ts";
import { filePost } from "../../app/features/blog/posts/file-posts.server.ts";
import { readPosts } from "../../app/features/blog/publish/import.server.ts";
import {
  changePost,
  findPost,
  importPosts,
  importProblems,
  newestPosts,
} from "../../app/features/blog/publish/publish.server.ts";
import { brandFile } from "../../app/features/brand/files.server.ts";
import { calendarDay } from "../../app/lib/dates.ts";
import type { Problem } from "../../app/lib/site/site-file.server.ts";
import { readSite, sentenceOf } from "../site/site-files.ts";
import type { Command, Desk } from "./commands.ts";
import { counted } from "./printing.ts";

const listed = 50;

export const blogCommand: Command = {
  name: "blog",
  summary: "Lists, imports, publishes and withdraws posts of the blog's database.",
  usage: "blog list|import|publish|unpublish",
  examples: [
    "blog list",
    "blog list --domain annapolis.harborline.example --all",
    "blog import posts.csv --dry-run",
    "blog import a-walk-in-the-park.md",
    "blog publish a-walk-in-the-park --at 2026-12-01",
    "blog unpublish a-walk-in-the-park --dry-run",
  ],
  async run(args, desk) {
    const given = understand(args);
    if ("misunderstood" in given) {
      desk.print(given.misunderstood);
      desk.print(`Say one of:\n  ${blogCommand.examples.join("\n  ")}`);
      return 2;
    }
    const { words, options } = given;
    const [verb, target, ...rest] = words;
    if (verb === "list" && target === undefined) return list(desk, options);
    if (target !== undefined && rest.length === 0) {
      if (verb === "import") return importFile(desk, target, options);
      if (verb === "publish" || verb === "unpublish") return change(desk, verb, target, options);
    }
    desk.print(`Say one of:\n  ${blogCommand.examples.join("\n  ")}`);
    return 2;
  },
};

type Options = { "dry-run"?: boolean; all?: boolean; domain?: string; at?: string };

function understand(args: string[]): { words: string[]; options: Options } | { misunderstood: string } {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        "dry-run": { type: "boolean" },
        all: { type: "boolean" },
        domain: { type: "string" },
        at: { type: "string" },
      },
    });
    return { words: positionals, options: values };
  } catch (error) {
    return { misunderstood: error instanceof Error ? error.message : String(error) };
  }
}

const cityOf = (desk: Desk) => readSite(desk.siteFolder, [brandFile, blogFile, blogFolder]);

async function list(desk: Desk, { all, domain }: Options): Promise<number> {
  const site = await cityOf(desk);
  const { timeZone } = site.read(brandFile);
  const now = new Date();
  const { rows, total } = await newestPosts(await desk.database(), all ? 1_000_000 : listed, domain);
  const files = site
    .readAll(blogFolder)
    .map((record) => ({
      ...filePost(record, ownDomain(site), timeZone),
      state: "published" as const,
      from: "file",
    }))
    .filter((file) => domain === undefined || file.domain === domain);
  const posts = [...files, ...rows.map((row) => ({ ...row, from: "database" }))].toSorted(
    (one, other) => other.publishAt.getTime() - one.publishAt.getTime(),
  );
  const shown = posts.map(({ publishAt, state, from, domain: of, slug, metaTitle }) => ({
    ...{ slug, metaTitle, domain: of, from, publishAt },
    state: state === "draft" ? "draft" : publishAt > now ? "scheduled" : "published",
  }));
  desk.answer(shown);
  desk.table(
    ["day", "state", "from", "domain", "slug", "title"],
    shown.map((post) => [
      ...[calendarDay(post.publishAt, timeZone), post.state, post.from, post.domain, post.slug],
      post.metaTitle,
    ]),
  );
  desk.print(`\n${files.length + total} posts: ${files.length} files, ${total} in the database.`);
  if (rows.length < total)
    desk.print(`The newest ${listed} of the database are shown; --all shows every one.`);
  return 0;
}

async function importFile(desk: Desk, path: string, options: Options): Promise<number> {
  const source = await readFile(resolve(desk.cwd, path), "utf8").catch((error: Error) => error);
  if (source instanceof Error) {
    desk.print(`${path} cannot be read: ${source.message}`);
    return 1;
  }
  const site = await cityOf(desk);
  const read = readPosts(path, source);
  if (!read.ok) return sayProblems(desk, path, read.problems);
  const rules = {
    ownDomain: ownDomain(site),
    domains: networkDomains(site),
    fileSlugs: site.readAll(blogFolder).map(({ id }) => id),
    timeZone: site.read(brandFile).timeZone,
    now: new Date(),
  };
  const db = await desk.database();
  const problems = await importProblems(db, read.value, rules);
  if (problems.length > 0) return sayProblems(desk, path, problems);
  const posts = counted(read.value.length, "post");
  desk.answer({
    imported: options["dry-run"] ? 0 : read.value.length,
    slugs: read.value.map(({ slug }) => slug),
  });
  if (options["dry-run"]) {
    for (const { slug, domain = rules.ownDomain, date, state, metaTitle } of read.value)
      desk.print(`+ ${date}  ${state}  ${domain}  ${slug}  ${metaTitle}`);
    desk.print(`\nDry run: ${posts} would be imported, nothing was changed.`);
    return 0;
  }
  await importPosts(db, read.value, rules, (done) => desk.progress(done, read.value.length, "posts"));
  desk.print(`✓ ${posts} imported from ${path}.`);
  return 0;
}

function sayProblems(desk: Desk, path: string, problems: Problem[]): number {
  desk.answer({ imported: 0, problems });
  for (const { line, field, message } of problems)
    desk.print(`✗ ${basename(path)}: ${sentenceOf({ line, field, message })}`);
  desk.print("\nNothing was imported.");
  return 1;
}

async function change(
  desk: Desk,
  verb: "publish" | "unpublish",
  slug: string,
  options: Options,
): Promise<number> {
  const site = await cityOf(desk);
  const { timeZone } = site.read(brandFile);
  if (site.readAll(blogFolder).some(({ id }) => id === slug)) {
    desk.print(`${slug} is the file blog/${slug}.md: change its date there, or remove the file.`);
    return 1;
  }
  if (options.at !== undefined && !postDate.safeParse(options.at).success) {
    desk.print(`--at ${options.at}: must be a day such as 2026-12-01, or 2026-12-01T09:00:00-05:00.`);
    return 2;
  }
  const db = await desk.database();
  const post = await findPost(db, slug);
  if (!post) {
    desk.print(`There is no post "${slug}" in the database.`);
    return 1;
  }
  const words =
    verb === "unpublish"
      ? "is taken away from readers"
      : `is published${options.at ? ` from ${options.at} on` : ""}`;
  desk.answer({ slug, verb, at: options.at ?? null, done: !options["dry-run"] });
  if (options["dry-run"]) {
    desk.print(`Dry run: "${post.metaTitle}" (${post.state}) ${words}; nothing was changed.`);
    return 0;
  }
  const date = options.at === undefined ? {} : { date: { date: options.at, timeZone } };
  await changePost(db, slug, verb === "publish" ? { state: "published", ...date } : { state: "draft" });
  desk.print(`✓ "${post.metaTitle}" ${words}.`);
  return 0;
}

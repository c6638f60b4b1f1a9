import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { calendarDay } from "../../lib/dates.ts";
import { fileErrorMessage } from "../../lib/newsroom/file-errors.server.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import type { Problem } from "../../lib/site/site-file.server.ts";
import { problemSentence } from "../../lib/site/site-yaml.server.ts";
import { type Command, type CommandContext, verb } from "../../platform/command.ts";
import { brandFile } from "../brand/files.server.ts";
import { networkDomains, ownDomain } from "./backend/source.server.ts";
import { blogFile, blogFolder, postDate } from "./files.server.ts";
import { filePost } from "./posts/file-posts.server.ts";
import { readPosts } from "./publish/import.server.ts";
import {
  changePost,
  findPost,
  importPosts,
  importProblems,
  newestPosts,
} from "./publish/publish.server.ts";

const listLimit = 50;

const dryRun = {
  "dry-run": { type: "flag", description: "shows what would be done, and changes nothing" },
} as const;
const slug = {
  required: true,
  description: 'the slug of a post in the database, as "blog list" shows it',
} as const;

export const blogCommand: Command = {
  name: "blog",
  group: "Content",
  summary: "Lists, imports, publishes and withdraws posts of the blog's database.",
  examples: [
    "blog list",
    "blog list --domain annapolis.harborline.example --all",
    "blog import posts.csv --dry-run",
    "blog import a-walk-in-the-park.md",
    "blog publish a-walk-in-the-park --at 2026-12-01",
    "blog unpublish a-walk-in-the-park --dry-run",
  ],
  verbs: {
    list: verb({
      summary: `Lists posts, from files and the newest ${listLimit} from the database.`,
      options: {
        all: { type: "flag", isBareWord: true, description: "every post of the database" },
        domain: { type: "string", value: "domain", description: "only the posts of this site" },
      },
      run: (_args, options, context) => list(context, options),
    }),
    import: verb({
      summary: "Stores all posts of a file, or none.",
      arguments: {
        file: { required: true, description: "posts as .csv or .json, or one post as .md" },
      },
      options: dryRun,
      run: ({ file }, options, context) => importFile(context, file, options["dry-run"]),
    }),
    publish: verb({
      summary: "Shows a post to readers.",
      arguments: { slug },
      options: {
        at: {
          type: "string",
          value: "day",
          description: "from then on, such as 2026-12-01 or 2026-12-01T09:00:00-05:00",
        },
        ...dryRun,
      },
      run: ({ slug: of }, { at, "dry-run": isDryRun }, context) =>
        change(context, "publish", of, { at, isDryRun }),
    }),
    unpublish: verb({
      summary: "Withdraws a post; it stays in the database.",
      arguments: { slug },
      options: dryRun,
      run: ({ slug: of }, options, context) =>
        change(context, "unpublish", of, { at: undefined, isDryRun: options["dry-run"] }),
    }),
  },
};

const readCity = (context: CommandContext) => context.readSite([brandFile, blogFile, blogFolder]);

async function list(
  context: CommandContext,
  { all, domain }: { all: boolean; domain: string | undefined },
): Promise<number> {
  const site = await readCity(context);
  const { timeZone } = site.read(brandFile);
  const now = context.clock();
  const { rows, total } = await newestPosts(
    await context.database(),
    all ? 1_000_000 : listLimit,
    domain,
  );
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
    slug,
    metaTitle,
    domain: of,
    from,
    publishAt,
    state: state === "draft" ? "draft" : publishAt > now ? "scheduled" : "published",
  }));
  context.result(shown);
  context.table(
    ["day", "state", "from", "domain", "slug", "title"],
    shown.map((post) => [
      calendarDay(post.publishAt, timeZone),
      post.state,
      post.from,
      post.domain,
      post.slug,
      post.metaTitle,
    ]),
  );
  context.print(
    `\n${files.length + total} posts: ${files.length} files, ${total} in the database.`,
  );
  if (rows.length < total)
    context.print(`The newest ${listLimit} of the database are shown; --all shows every one.`);
  return 0;
}

async function importFile(
  context: CommandContext,
  path: string,
  isDryRun: boolean,
): Promise<number> {
  const source = await readFile(resolve(context.cwd, path), "utf8").catch((error: unknown) => ({
    fault: fileErrorMessage(error, {
      path: resolve(context.cwd, path),
      done: "read",
      isServing: context.isServing,
    }),
  }));
  if (typeof source !== "string") {
    context.print(`✗ ${source.fault}`);
    return 1;
  }
  const site = await readCity(context);
  const read = readPosts(path, source);
  if (!read.ok) return printProblems(context, path, read.problems);
  const rules = {
    ownDomain: ownDomain(site),
    domains: networkDomains(site),
    fileSlugs: site.readAll(blogFolder).map(({ id }) => id),
    timeZone: site.read(brandFile).timeZone,
    now: context.clock(),
  };
  const db = await context.database();
  const problems = await importProblems(db, read.value, rules);
  if (problems.length > 0) return printProblems(context, path, problems);
  const posts = formatCount(read.value.length, "post");
  context.result({
    imported: isDryRun ? 0 : read.value.length,
    slugs: read.value.map(({ slug }) => slug),
  });
  if (isDryRun) {
    for (const { slug, domain = rules.ownDomain, date, state, metaTitle } of read.value)
      context.print(`+ ${date}  ${state}  ${domain}  ${slug}  ${metaTitle}`);
    context.print(`\nDry run: ${posts} would be imported, nothing was changed.`);
    return 0;
  }
  await importPosts(db, read.value, rules, (done) =>
    context.progress(done, read.value.length, "posts"),
  );
  context.print(`✓ ${posts} imported from ${path}.`);
  return 0;
}

function printProblems(context: CommandContext, path: string, problems: Problem[]): number {
  context.result({ imported: 0, problems });
  for (const { line, field, message } of problems)
    context.print(`✗ ${basename(path)}: ${problemSentence({ line, field, message })}`);
  context.print("\nNothing was imported.");
  return 1;
}

async function change(
  context: CommandContext,
  action: "publish" | "unpublish",
  slug: string,
  { at, isDryRun }: { at: string | undefined; isDryRun: boolean },
): Promise<number> {
  const site = await readCity(context);
  const { timeZone } = site.read(brandFile);
  if (site.readAll(blogFolder).some(({ id }) => id === slug)) {
    context.print(
      `${slug} is the file blog/${slug}.md: change its date there, or remove the file.`,
    );
    return 1;
  }
  if (at !== undefined && !postDate.safeParse(at).success) {
    context.print(`--at ${at}: must be a day such as 2026-12-01, or 2026-12-01T09:00:00-05:00.`);
    return 2;
  }
  const db = await context.database();
  const post = await findPost(db, slug);
  if (!post) {
    context.print(`There is no post "${slug}" in the database.`);
    return 1;
  }
  const words =
    action === "unpublish"
      ? "is taken away from readers"
      : `is published${at ? ` from ${at} on` : ""}`;
  context.result({ slug, verb: action, at: at ?? null, done: !isDryRun });
  if (isDryRun) {
    context.print(`Dry run: "${post.metaTitle}" (${post.state}) ${words}; nothing was changed.`);
    return 0;
  }
  const date = at === undefined ? {} : { date: { date: at, timeZone } };
  await changePost(
    db,
    slug,
    action === "publish" ? { state: "published", ...date } : { state: "draft" },
  );
  context.print(`✓ "${post.metaTitle}" ${words}.`);
  return 0;
}

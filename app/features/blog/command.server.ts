import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { calendarDay, writtenInstant } from "../../lib/dates.ts";
import { fileErrorMessage } from "../../lib/newsroom/file-errors.server.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import { forEach } from "../../lib/newsroom/selection.ts";
import { didYouMean } from "../../lib/text/nearest.ts";
import { type Command, type CommandContext, verb } from "../../platform/command.ts";
import type { Problem } from "../../site-files/site-file.server.ts";
import { toProblemSentence } from "../../site-files/site-yaml.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { newLinkOption, printPreview } from "../stories/preview/command.server.ts";
import { previewDays } from "../stories/preview/links.server.ts";
import { networkDomains, ownDomain } from "./backend/source.server.ts";
import { blogFile, blogFolder, postDate } from "./files.server.ts";
import { postPath } from "./paths.ts";
import { isPublished, toFilePost } from "./posts/file-posts.server.ts";
import { findAnyPost, toLinkId } from "./preview.server.ts";
import { parsePosts } from "./publish/import.server.ts";
import {
  changePost,
  findImportProblems,
  findPost,
  importPosts,
  loadNewestPosts,
} from "./publish/publish.server.ts";

const listLimit = 50;

const dryRunOption = {
  "dry-run": { type: "flag", description: "show what would change, without changing anything" },
} as const;
const slugArgument = {
  required: true,
  repeated: true,
  description: 'the slug of a post in the database; "blog list" shows it',
} as const;

export const blogCommand: Command = {
  name: "blog",
  group: "Content",
  summary: "List, import, preview, publish or unpublish blog posts.",
  examples: [
    "blog list",
    "blog list --domain annapolis.harborline.example --all",
    "blog import posts.csv --dry-run",
    "blog import a-walk-in-the-park.md",
    "blog publish a-walk-in-the-park --at 2026-12-01",
    "blog unpublish a-walk-in-the-park crab-season --dry-run",
    "blog preview a-walk-in-the-park",
  ],
  verbs: {
    list: verb({
      summary: `List the posts from files and the newest ${listLimit} from the database.`,
      options: {
        all: {
          type: "flag",
          worksWithoutDashes: true,
          description: "show every post in the database",
        },
        domain: { type: "string", value: "domain", description: "show only posts of this domain" },
      },
      run: (_args, options, context) => list(context, options),
    }),
    import: verb({
      summary: "Import all posts in a file, or none if one of them has a problem.",
      arguments: {
        file: {
          required: true,
          description: "a .csv or .json file with posts, or one post as .md",
        },
      },
      options: dryRunOption,
      run: ({ file }, options, context) => importFile(context, file, options["dry-run"]),
    }),
    publish: verb({
      summary: "Publish posts on their dates, or on the date in --at.",
      arguments: { slug: slugArgument },
      options: {
        at: {
          type: "string",
          value: "date",
          description: 'a new date, such as 2026-12-01 or "2026-12-01 18:30"',
        },
        ...dryRunOption,
      },
      run: (args, { at, "dry-run": isDryRun }, context) =>
        forEach(context, args.slug, (each, slug) =>
          publishOrUnpublish(each, "publish", slug, { at, isDryRun }),
        ),
    }),
    unpublish: verb({
      summary: "Hide posts from readers. They stay in the database as drafts.",
      arguments: { slug: slugArgument },
      options: dryRunOption,
      run: (args, options, context) =>
        forEach(context, args.slug, (each, slug) =>
          publishOrUnpublish(each, "unpublish", slug, {
            at: undefined,
            isDryRun: options["dry-run"],
          }),
        ),
    }),
    preview: verb({
      summary: `Print a link that shows a draft or a scheduled post for ${previewDays} days.`,
      arguments: {
        slug: {
          required: true,
          description: 'the name of the post\'s file in blog/, or the slug that "blog list" shows',
        },
      },
      options: { new: newLinkOption },
      run: (args, options, context) => preview(context, args.slug, options.new),
    }),
  },
};

const readCity = (context: CommandContext) =>
  context.readSite([siteSettingsFile, blogFile, blogFolder]);

async function list(
  context: CommandContext,
  { all, domain }: { all: boolean; domain: string | undefined },
): Promise<number> {
  const site = await readCity(context);
  const settings = site.read(siteSettingsFile);
  const now = context.clock();
  const { rows, total } = await loadNewestPosts(
    await context.database(),
    all ? 1_000_000 : listLimit,
    domain,
  );
  const files = site
    .readAll(blogFolder)
    .map((record) => toFilePost(record, settings))
    .map((post) => ({
      ...post,
      state: post.isDraft ? ("draft" as const) : ("published" as const),
      from: "file",
    }))
    .filter((file) => domain === undefined || file.domain === domain);
  const posts = [...files, ...rows.map((row) => ({ ...row, from: "database" }))].toSorted(
    (one, other) => other.publishAt.getTime() - one.publishAt.getTime(),
  );
  const shown = posts.map((post) => ({
    slug: post.slug,
    metaTitle: post.metaTitle,
    domain: post.domain,
    from: post.from,
    publishAt: post.publishAt,
    state: post.state === "draft" ? "draft" : post.publishAt > now ? "scheduled" : "published",
  }));
  context.result(shown);
  context.table(
    ["day", "state", "from", "domain", "slug", "title"],
    shown.map((post) => [
      calendarDay(post.publishAt, settings.timeZone),
      post.state,
      post.from,
      post.domain,
      post.slug,
      post.metaTitle,
    ]),
  );
  context.print(
    `\n${formatCount(files.length + total, "post")}: ${files.length} from files, ${total} in the database.`,
  );
  if (rows.length < total)
    context.print(
      `Only the newest ${listLimit} posts in the database are shown. Use --all to show every post.`,
    );
  return 0;
}

async function importFile(
  context: CommandContext,
  path: string,
  isDryRun: boolean,
): Promise<number> {
  const source = await readFile(resolve(context.cwd, path), "utf8").catch((error: unknown) => ({
    error: fileErrorMessage(error, {
      path: resolve(context.cwd, path),
      action: "read",
      isServing: context.isServing,
    }),
  }));
  if (typeof source !== "string") {
    context.print(`✗ ${source.error}`);
    return 1;
  }
  const site = await readCity(context);
  const parsed = parsePosts(path, source);
  if (!parsed.ok) return printProblems(context, path, parsed.problems);
  const rules = {
    ownDomain: ownDomain(site),
    domains: networkDomains(site),
    fileSlugs: site.readAll(blogFolder).map(({ id }) => id),
    timeZone: site.read(siteSettingsFile).timeZone,
    now: context.clock(),
  };
  const db = await context.database();
  const problems = await findImportProblems(db, parsed.value, rules);
  if (problems.length > 0) return printProblems(context, path, problems);
  const posts = formatCount(parsed.value.length, "post");
  context.result({
    imported: isDryRun ? 0 : parsed.value.length,
    slugs: parsed.value.map(({ slug }) => slug),
  });
  if (isDryRun) {
    for (const { slug, domain = rules.ownDomain, date, state, metaTitle } of parsed.value)
      context.print(`+ ${date}  ${state}  ${domain}  ${slug}  ${metaTitle}`);
    context.print(`\nDry run: ${posts} would be imported; nothing was changed.`);
    return 0;
  }
  await importPosts(db, parsed.value, rules, (done) =>
    context.progress(done, parsed.value.length, "posts"),
  );
  context.print(`✓ Imported ${posts} from ${path}.`);
  return 0;
}

async function preview(
  context: CommandContext,
  typedSlug: string,
  endsEarlierLinks: boolean,
): Promise<number> {
  const slug = typedSlug.replace(/^(?:.*\/)?blog\//, "").replace(/\.md$/, "");
  const site = await readCity(context);
  const post = await findAnyPost({ site, db: await context.database() }, slug);
  if (!post) {
    const slugs = site.readAll(blogFolder).map(({ id }) => id);
    context.print(
      `There is no post "${slug}"${didYouMean(slug, slugs) || '. If its file has a mistake, "./newsroom validate" shows it.'}`,
    );
    return 1;
  }
  return printPreview(context, {
    id: slug,
    title: post.metaTitle,
    path: postPath(slug),
    linkId: toLinkId(slug),
    isPublished: isPublished(post, context.clock()),
    isDraft: post.isDraft,
    writtenDate: post.date,
    publishAdvice: post.isFile
      ? "remove the line draft: true to publish it"
      : `run "./newsroom blog publish ${slug}" to publish it`,
    command: `blog preview ${slug}`,
    endsEarlierLinks,
  });
}

function printProblems(context: CommandContext, path: string, problems: Problem[]): number {
  context.result({ imported: 0, problems });
  for (const { line, field, message } of problems)
    context.print(`✗ ${basename(path)}: ${toProblemSentence({ line, field, message })}`);
  context.print("\nNothing was imported.");
  return 1;
}

async function publishOrUnpublish(
  context: CommandContext,
  action: "publish" | "unpublish",
  slug: string,
  { at, isDryRun }: { at: string | undefined; isDryRun: boolean },
): Promise<number> {
  const site = await readCity(context);
  const { timeZone } = site.read(siteSettingsFile);
  if (site.readAll(blogFolder).some(({ id }) => id === slug)) {
    context.print(
      `The post "${slug}" is a file. Change "date" or "draft" in blog/${slug}.md, or delete the file.`,
    );
    return 1;
  }
  if (at !== undefined && !postDate.safeParse(at).success) {
    context.print(
      `"--at ${at}" is not a date. Use a day such as 2026-12-01, or a day and a time such as "2026-12-01 18:30".`,
    );
    return 2;
  }
  const db = await context.database();
  const post = await findPost(db, slug);
  if (!post) {
    context.print(
      `The database has no post "${slug}". Run "./newsroom blog list --all" to see all posts.`,
    );
    return 1;
  }
  context.result({ slug, verb: action, at: at ?? null, done: !isDryRun });
  const publishAt = at === undefined ? post.publishAt : writtenInstant(at, timeZone);
  const isScheduled = action === "publish" && publishAt > context.clock();
  const effect =
    action === "unpublish"
      ? "hidden from readers"
      : `published${isScheduled ? ` on ${at ?? post.date}` : ""}`;
  if (isDryRun) {
    context.print(
      `Dry run: "${post.metaTitle}" (now ${post.state}) would be ${effect}; nothing was changed.`,
    );
    return 0;
  }
  const date = at === undefined ? {} : { date: { date: at, timeZone } };
  await changePost(
    db,
    slug,
    action === "publish" ? { state: "published", ...date } : { state: "draft" },
  );
  context.print(`✓ "${post.metaTitle}" ${isScheduled ? "will be" : "is"} ${effect}.`);
  return 0;
}

import { basename } from "node:path";
import { calendarDay, shortTimestamp, writtenInstant } from "../../../lib/dates.ts";
import { fail, refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { readTextFile } from "../../../lib/newsroom/file-errors.server.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import { forEach, listAllOption } from "../../../lib/newsroom/selection.ts";
import { didYouMean } from "../../../lib/text/nearest.ts";
import { type Command, type CommandContext, verb } from "../../../platform/command.ts";
import type { Problem } from "../../../site-files/site-file.server.ts";
import { toProblemSentence } from "../../../site-files/site-yaml.server.ts";
import { networkDomains, ownDomain } from "../../blog/backend/source.server.ts";
import { blogFolder, postDate } from "../../blog/files.server.ts";
import { postPath } from "../../blog/paths.ts";
import { isPublished } from "../../blog/posts/post.ts";
import { findAnyPost, findStoredPost, listFilePosts } from "../../blog/posts/posts.server.ts";
import { toLinkId } from "../../blog/preview.server.ts";
import { parsePosts } from "../../blog/publish/import.server.ts";
import {
  changePost,
  findImportProblems,
  importPosts,
  loadNewestPosts,
} from "../../blog/publish/publish.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { networkFile } from "../../brand/network-file.server.ts";
import { previewDays } from "../../stories/preview/preview.server.ts";
import { newLinkOption, printPreview } from "../../stories/preview/preview-verb.server.ts";
import { logCommand } from "../log/log.server.ts";
import { holdDraftsOf, lockDraftsOf } from "../write/draft-of-item.server.ts";

const listLimit = 50;

const slugArgument = {
  required: true,
  repeated: true,
  description: 'the slug of a post in the database; "blog list" shows it',
} as const;

const readCity = (context: CommandContext) =>
  context.readSite([siteSettingsFile, networkFile, blogFolder]);

const listVerb = verb({
  summary: `List the posts from files and the newest ${listLimit} from the database.`,
  options: {
    ...listAllOption("show every post in the database"),
    domain: { type: "string", value: "domain", description: "show only posts of this domain" },
  },
  async run(context, { all, domain }) {
    const site = await readCity(context);
    const settings = site.read(siteSettingsFile);
    const now = context.clock();
    const db = await context.database();
    const { rows, total } = await loadNewestPosts(db, all ? 1_000_000 : listLimit, domain);
    const files = (await listFilePosts({ site, db })).filter(
      (file) => domain === undefined || file.domain === domain,
    );
    const posts = [
      ...files.map((file) => ({ ...file, from: "file" })),
      ...rows.map(({ state, ...row }) => ({
        ...row,
        isDraft: state === "draft",
        isDown: state === "down",
        from: "database",
      })),
    ].toSorted((one, other) => other.publishAt.getTime() - one.publishAt.getTime());
    const shown = posts.map(({ slug, metaTitle, domain, from, publishAt, isDraft, isDown }) => ({
      slug,
      metaTitle,
      domain,
      from,
      publishAt,
      state: isDown
        ? "taken down"
        : isDraft
          ? "draft"
          : publishAt > now
            ? "scheduled"
            : "published",
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
  },
});

const importVerb = verb({
  summary: "Import all posts in a file, or none if one of them has a problem.",
  arguments: {
    file: { required: true, description: "a .csv or .json file with posts" },
  },
  options: {
    "dry-run": { type: "flag", description: "show what would change, without changing anything" },
  },
  async run(context, { file: path, "dry-run": isDryRun }) {
    const source = await readTextFile(context, path);
    const site = await readCity(context);
    const parsed = parsePosts(path, source);
    if (!parsed.ok) failWithProblems(context, path, parsed.problems);
    const rules = {
      ownDomain: ownDomain(site),
      domains: networkDomains(site),
      fileSlugs: site.readAll(blogFolder).map(({ id }) => id),
      timeZone: site.read(siteSettingsFile).timeZone,
      now: context.clock(),
    };
    const db = await context.database();
    const problems = await findImportProblems(db, parsed.value, rules);
    if (problems.length > 0) failWithProblems(context, path, problems);
    const posts = formatCount(parsed.value.length, "post");
    context.result({
      imported: isDryRun ? 0 : parsed.value.length,
      slugs: parsed.value.map(({ slug }) => slug),
    });
    if (isDryRun) {
      for (const { slug, domain = rules.ownDomain, date, state, metaTitle } of parsed.value)
        context.print(`+ ${date}  ${state}  ${domain}  ${slug}  ${metaTitle}`);
      context.print(`\nDry run: ${posts} would be imported; nothing was changed.`);
      return;
    }
    await db.transaction(async (tx) => {
      await importPosts(tx, parsed.value, rules, (done) =>
        context.progress({ done, all: parsed.value.length, what: "posts" }),
      );
      const entry = { action: "imported", kind: "", title: posts, note: basename(path) } as const;
      await logCommand(tx, context.clock, entry);
    });
    context.print(`✓ Imported ${posts} from ${path}.`);
  },
});

function failWithProblems(context: CommandContext, path: string, problems: Problem[]): never {
  context.result({ imported: 0, problems });
  for (const { line, field, message } of problems)
    context.print(`✗ ${basename(path)}: ${toProblemSentence({ line, field, message })}`);
  fail("\nNothing was imported.");
}

const previewVerb = verb({
  summary: `Print a link that shows a draft or a scheduled post for ${previewDays} days.`,
  arguments: {
    slug: {
      required: true,
      description: 'the name of the post\'s file in blog/, or the slug that "blog list" shows',
    },
  },
  options: { new: newLinkOption },
  async run(context, { slug: typedSlug, new: endsEarlierLinks }) {
    const slug = typedSlug.replace(/^(?:.*\/)?blog\//, "").replace(/\.md$/, "");
    const site = await readCity(context);
    const post = await findAnyPost({ site, db: await context.database() }, slug);
    if (!post) {
      const slugs = site.readAll(blogFolder).map(({ id }) => id);
      fail(
        `✗ There is no post "${slug}"${didYouMean(slug, slugs) || '. If its file has a mistake, "./newsroom validate" shows it.'}`,
      );
    }
    return printPreview(context, {
      id: slug,
      title: post.metaTitle,
      path: postPath(slug),
      linkId: toLinkId(slug),
      isPublished: isPublished(post, context.clock()),
      isDraft: post.isDraft,
      downAt: post.isDown ? `/desk/published/post/${slug}` : null,
      writtenDate: post.date,
      publishAdvice: post.isFile
        ? "remove the line draft: true to publish it"
        : `run "./newsroom blog publish ${slug}" to publish it`,
      command: `blog preview ${slug}`,
      endsEarlierLinks,
    });
  },
});

const publishVerb = verb({
  summary: "Publish posts on their dates, or on the date in --at.",
  arguments: { slug: slugArgument },
  options: {
    at: {
      type: "string",
      value: "date",
      description: 'a new date, such as 2026-12-01 or "2026-12-01 18:30"',
    },
  },
  run: (context, { slug, at }) =>
    forEach(context, slug, (each, one) => publishOrUnpublish(each, "publish", one, at)),
});

const unpublishVerb = verb({
  summary: "Hide posts from readers. They stay in the database as drafts.",
  arguments: { slug: slugArgument },
  run: (context, { slug }) =>
    forEach(context, slug, (each, one) => publishOrUnpublish(each, "unpublish", one)),
});

async function publishOrUnpublish(
  context: CommandContext,
  action: "publish" | "unpublish",
  slug: string,
  at?: string,
): Promise<undefined> {
  const site = await readCity(context);
  const { timeZone } = site.read(siteSettingsFile);
  if (site.readAll(blogFolder).some(({ id }) => id === slug))
    fail(
      `✗ The post "${slug}" is a file. Change "date" or "draft" in blog/${slug}.md, or delete the file.`,
    );
  if (at !== undefined && !postDate.safeParse(at).success)
    refuseCommand(
      `"--at ${at}" is not a date. Use a day such as 2026-12-01, or a day and a time such as "2026-12-01 18:30".`,
    );
  const db = await context.database();
  const post = await findStoredPost(db, slug);
  if (!post)
    fail(
      `✗ The database has no post "${slug}". Run "./newsroom blog list --all" to see all posts.`,
    );
  context.result({ slug, verb: action, at: at ?? null });
  const publishAt = at === undefined ? post.publishAt : writtenInstant(at, timeZone);
  const isScheduled = action === "publish" && publishAt > context.clock();
  const effect =
    action === "unpublish"
      ? "hidden from readers"
      : `published${isScheduled ? ` on ${at ?? post.date}` : ""}`;
  const date = at === undefined ? {} : { date: { date: at, timeZone } };
  const rowId = post.id;
  const isChanged = await db.transaction(async (tx) => {
    if (action === "unpublish") {
      const drafts = await lockDraftsOf(tx, [{ id: rowId }]);
      const isScheduled = drafts.some(({ publishAt }) => publishAt !== null);
      if (post.isDraft && !post.isDown && !isScheduled) return false;
      // The schedule, or an editor who has its draft open, must not publish it again unasked.
      await holdDraftsOf(tx, [rowId]);
    }
    await changePost(
      tx,
      slug,
      action === "publish" ? { state: "published", ...date } : { state: "draft" },
    );
    await logCommand(tx, context.clock, {
      action: action === "publish" ? (isScheduled ? "scheduled" : "published") : "unpublished",
      kind: "post",
      items: [rowId],
      title: post.metaTitle,
      note: isScheduled ? shortTimestamp(publishAt, timeZone) : "",
    });
    return true;
  });
  context.print(
    isChanged
      ? `✓ "${post.metaTitle}" ${isScheduled ? "will be" : "is"} ${effect}.`
      : `"${post.metaTitle}" is already hidden from readers.`,
  );
}

export const blogCommand: Command = {
  name: "blog",
  part: "blog",
  group: "Content",
  summary: "List, import, preview, publish or unpublish blog posts.",
  examples: [
    "blog list",
    "blog list --domain sister.example.com --all",
    "blog import posts.csv --dry-run",
    "blog publish a-walk-in-the-park --at 2026-12-01",
    "blog unpublish a-walk-in-the-park summer-season",
    "blog preview a-walk-in-the-park",
  ],
  verbs: {
    list: listVerb,
    import: importVerb,
    publish: publishVerb,
    unpublish: unpublishVerb,
    preview: previewVerb,
  },
};

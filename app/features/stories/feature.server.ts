import { readShared } from "../../../db/shared-reads.ts";
import type { Limit } from "../../lib/http/limits.server.ts";
import { listSamples } from "../../platform/city.ts";
import type { Feature } from "../../platform/feature.ts";
import type { IssueContext, IssueItem } from "../../platform/newsletter.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { followRenames } from "../file-notes/notes.server.ts";
import { renamedPaths } from "../redirects/rows.server.ts";
import { approvedStories, findApprovedStory, listedStories } from "./approved.server.ts";
import {
  checkCategories,
  checkFileNotes,
  checkHiddenLinks,
  checkReaderSlugs,
  checkStories,
} from "./check.server.ts";
import { storyDocuments } from "./documents.server.ts";
import { newsFolder, storyListsFile, submitStoryFile } from "./files.server.ts";
import { storyCorrections } from "./listing/list.server.ts";
import { storyPath } from "./model.ts";
import { submitPath } from "./readers/model.ts";
import { deleteOldStories, storyLimit } from "./readers/submissions.server.ts";
import { type StoryRecord, toShareCard } from "./record.server.ts";
import { rememberPublished, suggestStoryPath } from "./remembered.server.ts";
import { storySitemap } from "./sitemap.server.ts";
import {
  findPublishedStories,
  listStoriesOrSamples,
  readStoryRecord,
  rememberedBySlug,
  type StoryServices,
} from "./stories.server.ts";

export { livePath } from "./model.ts";
export { findLiveVersion } from "./stories.server.ts";

/** A household or an office rarely follows more live stories at once. Other readers poll the page. */
export const liveLimit = {
  what: "readers of live stories",
  rate: { burst: 200, perSecond: 20 },
  concurrent: { visitor: 20, all: 2_000 },
  messages: {
    visitor: "Too many people follow a live story from your internet connection.",
    all: "Too many people follow a live story.",
  },
} satisfies Limit;

/** Stories in files, and those that readers sent or editors wrote at the desk, in the database. */
export const stories: Feature = {
  name: "stories",
  limits: [storyLimit, liveLimit],
  files: [newsFolder, storyListsFile, submitStoryFile],
  launch: (site) => listSamples(newsFolder.folder, site.readAll(newsFolder)),
  checks: [checkStories, checkCategories, checkReaderSlugs, checkFileNotes, checkHiddenLinks],
  sharedReads: () => [listedStories, approvedStories, rememberedBySlug],
  jobs: [{ name: "stories", cron: "* * * * *", run: rememberPublished }],
  async onSiteChanged(services) {
    await followRenames("story", newsFolder)(services);
    await rememberPublished(services);
  },
  suggestPath: suggestStoryPath,
  newsletter: {
    section: "stories",
    gather: issueStories,
    find: findIssueStory,
    corrections: storyCorrections,
    more: { label: "All our stories", path: "/stories" },
  },
  retention: { stories: ({ db, clock }) => deleteOldStories(db, clock) },
  pages(site) {
    const { title, description, intro } = site.read(submitStoryFile);
    const lists = site.read(storyListsFile);
    return {
      "/stories": {
        title: lists.stories.heading,
        summary: lists.stories.description,
        body: lists.stories.intro,
        aliases: ["Stories", "From our newsroom"],
      },
      "/corrections": {
        title: lists.corrections.heading,
        summary: lists.corrections.description,
        body: lists.corrections.intro,
        aliases: ["Correction", "Mistakes", "Errors"],
      },
      [submitPath]: { title, summary: description, body: intro, isUnlisted: true },
    };
  },
  sitemap: storySitemap,
  shareCards: {
    kind: "news",
    async find(services, slug) {
      const record = await readStoryRecord(services, slug);
      return record && toShareCard(record);
    },
  },
  documents: storyDocuments,
  async checkLink(path, city) {
    const slug = /^\/news\/([^/]+)$/.exec(path)?.[1];
    if (slug === undefined) return undefined;
    const names = city.names(newsFolder);
    if (names.includes(slug)) return null;
    const services = await city.services();
    if (services && (await findApprovedStory(services.db, slug))) return null;
    return { known: names.map((name) => storyPath(name)) };
  },
};

/** The stories that no issue has contained since `since`, newest first and without samples. */
export async function issueStories(
  services: StoryServices,
  { since, wasSent }: Pick<IssueContext, "since" | "wasSent">,
): Promise<IssueItem[]> {
  const { origin } = services.site.read(siteSettingsFile);
  const stories = await listStoriesOrSamples(services);
  const newPaths = Object.entries(await readShared(services.db, renamedPaths));
  /** An issue may have linked the story under a path that it had before it was renamed. */
  const wasStorySent = ({ slug }: StoryRecord) =>
    [
      storyPath(slug),
      ...newPaths.flatMap(([old, path]) => (path === storyPath(slug) ? old : [])),
    ].some((path) => wasSent(origin + path));
  return stories
    .filter(({ isSample, publishedAt }) => !isSample && publishedAt >= since)
    .filter((story) => !wasStorySent(story))
    .map((story) => toIssueItem(story, origin));
}

/** Finds a story of an earlier issue as it is now, even if it was renamed after the issue. */
async function findIssueStory(services: StoryServices, slug: string): Promise<IssueItem | null> {
  const story = (await findPublishedStories(services, [slug])).get(slug);
  return story ? toIssueItem(story, services.site.read(siteSettingsFile).origin) : null;
}

const toIssueItem = (
  { slug, title, excerpt, image, isFromReader }: StoryRecord,
  origin: string,
): IssueItem => ({
  title,
  image,
  line: isFromReader ? `From a reader: ${excerpt}` : excerpt,
  link: `${origin}${storyPath(slug)}`,
});

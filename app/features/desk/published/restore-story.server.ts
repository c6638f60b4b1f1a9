import type { Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { renderStoryText } from "../../stories/desk/render.server.ts";
import {
  lockStory,
  type StoryFields,
  type StoryRow,
  storyFields,
} from "../../stories/desk/rows.server.ts";
import type { Editor } from "../files.server.ts";
import { publishStory } from "./publish-story.server.ts";
import { listVersions, showVersions, type Version } from "./versions.server.ts";

export type StoryVersion = Omit<Version, "fields"> & { fields: StoryFields };

/** The versions of a story, newest first. */
export const listStoryVersions = async (
  db: Services["db"],
  { id }: StoryRow,
): Promise<StoryVersion[]> =>
  (await listVersions(db, { kind: "story", id })).map((version) => ({
    ...version,
    fields: storyFields.parse(version.fields),
  }));

/** Prepares the versions for their page. `wanted` is the number of the version that it shows. */
export async function describeVersions(
  { db, site }: Pick<Services, "db" | "site">,
  row: StoryRow,
  wanted: number,
) {
  const { timeZone } = site.read(siteSettingsFile);
  const versions = await listStoryVersions(db, row);
  return {
    slug: row.slug ?? "",
    title: row.title,
    canRestore: row.state === "approved",
    ...showVersions(versions, wanted, timeZone, ({ category, authors }) => [category, ...authors]),
  };
}

/**
 * Publishes an earlier version of a story again. Corrections since then stay, because readers have
 * seen them, and so does its place on the front page. Returns false if there is no such version, or if the story is not on the site.
 */
export async function restoreVersion(
  services: Pick<Services, "db" | "site" | "clock" | "runInWorker">,
  row: StoryRow,
  number: number,
  editor: Editor,
): Promise<boolean> {
  const versions = await listStoryVersions(services.db, row);
  const version = versions.find((each) => each.number === number);
  if (!version) return false;
  const html = await renderStoryText(services, version.fields.text);
  return services.db.transaction(async (tx) => {
    const current = await lockStory(tx, row.id);
    if (current?.state !== "approved") return false;
    const { id, corrections, isPinned } = current;
    const fields = { ...version.fields, corrections, isPinned };
    const publication = { id, fields, html, at: services.clock(), editor };
    await publishStory(services, tx, publication, `restored version ${number} of`);
    return true;
  });
}

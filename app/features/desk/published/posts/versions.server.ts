import type { Services } from "../../../../platform/services.ts";
import { type PostRow, postFields } from "../../../blog/publish/desk-posts.server.ts";
import { siteSettingsFile } from "../../../brand/files.server.ts";
import type { Editor } from "../../files.server.ts";
import { publishPost } from "../publish-post.server.ts";
import { listVersions, showVersions } from "../versions.server.ts";

/** The versions of a post, newest first. */
const listPostVersions = async (db: Services["db"], { id }: PostRow) =>
  (await listVersions(db, { kind: "post", id: String(id) })).map((version) => ({
    ...version,
    fields: postFields.parse(version.fields),
  }));

/** Prepares the versions for their page. `wanted` is the number of the version that it shows. */
export async function describePostVersions(
  { db, site }: Pick<Services, "db" | "site">,
  row: PostRow,
  wanted: number,
) {
  const { timeZone } = site.read(siteSettingsFile);
  const versions = await listPostVersions(db, row);
  return {
    slug: row.slug,
    title: row.metaTitle,
    canRestore: row.state === "published",
    ...showVersions(versions, wanted, timeZone, ({ authors }) => authors),
  };
}

/**
 * Publishes an earlier version of a post again. Corrections since then stay, because readers have
 * seen them. Returns false if there is no such version, or if the post is not on the site.
 */
export async function restorePostVersion(
  services: Pick<Services, "db" | "site" | "clock">,
  row: PostRow,
  number: number,
  editor: Editor,
): Promise<boolean> {
  const versions = await listPostVersions(services.db, row);
  const version = versions.find((each) => each.number === number);
  if (!version || row.state !== "published") return false;
  const fields = { ...version.fields, corrections: row.corrections };
  const publication = { id: row.id, fields, at: row.publishAt, editor };
  await services.db.transaction((tx) =>
    publishPost(services, tx, publication, `restored version ${number} of`),
  );
  return true;
}

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { readSite } from "../../../../server/site/site-files.ts";
import { databaseKinds, openTestDatabase } from "../../../../tests/support/database.ts";
import { runInThisThread } from "../../../../tests/support/worker-pool.ts";
import { createLog } from "../../../lib/log.ts";
import { noPage } from "../../../platform/services.ts";
import { describePost } from "../../blog/backend/load.server.ts";
import { postSource } from "../../blog/backend/source.server.ts";
import { postDocuments } from "../../blog/documents.server.ts";
import { blogFile, blogFolder } from "../../blog/files.server.ts";
import { findPostImage } from "../../blog/posts/images.server.ts";
import {
  missingPostStatus,
  postCorrections,
  postSitemap,
} from "../../blog/posts/published.server.ts";
import { lockPost } from "../../blog/publish/desk-posts.server.ts";
import { blogPosts } from "../../blog/schema.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { lookFile } from "../../brand/look-file.server.ts";
import { fileNotes } from "../../file-notes/schema.server.ts";
import { redirects } from "../../redirects/schema.server.ts";
import { findItem } from "../kinds/kinds.server.ts";
import { listPosts, publishPost } from "../kinds/post.server.ts";
import { listVersions } from "../kinds/versions.server.ts";
import { readLog } from "../log/log.server.ts";
import { deskLog } from "../schema.server.ts";
import { listDrafts } from "../write/drafts.server.ts";
import { changeItem } from "./change-item.server.ts";
import { describeVersions, restoreVersion } from "./describe-item.server.ts";
import type { ItemAction } from "./model.ts";
import { deskVersions } from "./schema.server.ts";

const site = await readSite("sites/baltimore", [siteSettingsFile, lookFile, blogFile, blogFolder]);
const domain = "baltimore.harborline.example";
const fileSlug = "film-your-street-with-a-phone";
const ana = { name: "Ana", email: "ana@example.com" };
const [leadId, textId] = [
  "0190f0a0-0000-7000-8000-000000000001",
  "0190f0a0-0000-7000-8000-000000000002",
] as const;
const fields = {
  title: 'A "quiet" pier',
  excerpt: "One evening.",
  text: `Boats.\n\n![A gull](/pictures/${textId}.webp)`,
  authors: ["Ana Reyes", "Sam Cole"],
  image: { id: leadId, alt: "The pier", caption: "At dusk", credit: "" },
  corrections: [],
};
const newImages = [leadId, textId].map((id) => ({
  id,
  width: 1200,
  height: 800,
  bytes: new Uint8Array([1, 2, 3]),
}));

describe.each(databaseKinds)("posts at the desk, on %s", (kind) => {
  let database: OpenDatabase;
  let now = new Date("2026-11-18T17:00:00Z");
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    now = new Date("2026-11-18T17:00:00Z");
    for (const table of [blogPosts, fileNotes, redirects, deskLog, deskVersions])
      await database.db.delete(table);
  });

  const services = () => ({ db: database.db, site, clock: () => now });
  const publish = (id: number | null, changes: Partial<typeof fields> = {}, at = now) =>
    database.db.transaction(async (tx) => {
      const row = id === null ? null : await lockPost(tx, id);
      const all = { ...fields, ...changes };
      return publishPost(services(), tx, { row, fields: all, at, newImages, editor: ana });
    });
  const change = async (id: string, action: ItemAction, typed = "") => {
    const item = await findItem(services(), { kind: "post", id });
    return item && changeItem({ ...services(), editor: ana }, item, { action, typed });
  };
  const find = (slug: string) => postSource(services()).find(slug);
  /** Where readers, search and search engines find a post. */
  const findPlaces = async (slug: string) => {
    const { heads } = await postSource(services()).list(domain, 1);
    const recent = await postSource(services()).recent(domain);
    const found = {
      page: (await find(slug)) !== null,
      list: [...heads, ...recent].some((head) => head.slug === slug),
      search: (await postDocuments.list(services() as never)).some(
        ({ id }) => id === `blog:${slug}`,
      ),
      sitemap: (await postSitemap.pages({ ...services(), ...noPage } as never)).some(
        ({ path }) => path === `/blog/${slug}`,
      ),
    };
    return Object.entries(found).flatMap(([place, isThere]) => (isThere ? place : []));
  };
  const everywhere = ["page", "list", "search", "sitemap"];
  const readActions = async () =>
    (await readLog(database.db, { count: 10 })).map(({ action, title }) => `${action}: ${title}`);

  it("are on the site with their authors and images, and keep slug and date when they change", async () => {
    const { id, slug } = await publish(null);
    expect(slug).toBe("a-quiet-pier");
    expect(await find(slug)).toMatchObject({
      metaTitle: "A “quiet” pier",
      author: ["Ana Reyes", "Sam Cole"],
      updated: null,
      image: {
        file: `/pictures/${leadId}.webp`,
        width: 1200,
        height: 800,
        alt: "The pier",
        caption: "At dusk",
        credit: null,
      },
    });
    const post = await find(slug);
    const page = {
      ...services(),
      log: createLog({ write: () => true }),
      runInWorker: runInThisThread,
    };
    expect((post && (await describePost(page, post)))?.html).toContain(
      `src="/pictures/${textId}.webp" width="1200" height="800"`,
    );
    expect(await findPlaces(slug)).toEqual(everywhere);
    const isShown = async (imageId: string) => (await findPostImage(database.db, imageId)) !== null;
    expect([await isShown(leadId), await isShown(textId)]).toEqual([true, true]);

    now = new Date("2026-11-19T17:00:00Z");
    await publish(id, { title: "The pier", text: "No gulls." });
    expect(await find(slug)).toMatchObject({
      slug,
      metaTitle: "The pier",
      publishAt: new Date("2026-11-18T17:00:00Z"),
      updated: "2026-11-19T12:00:00-05:00",
    });
    expect(await isShown(textId), "an image of an earlier version").toBe(false);
    expect((await publish(null)).slug).toBe("a-quiet-pier-2");
    const versions = await listVersions(database.db, { kind: "post", rowId: String(id) });
    expect(versions.map(({ number, action }) => `${number} ${action}`)).toEqual([
      "2 updated",
      "1 published",
    ]);
    expect(await readActions()).toContain("updated: The pier");
  });

  it("can be scheduled, and get another date before readers see them", async () => {
    const { id, slug } = await publish(null, {}, new Date("2026-11-20T17:00:00Z"));
    expect(await findPlaces(slug)).toEqual([]);
    const readWaits = async () =>
      (await findItem(services(), { kind: "post", id: slug }))?.scheduledFor ?? null;
    expect(await readWaits()).toEqual(new Date("2026-11-20T17:00:00Z"));
    const expireAt = vi.fn();
    await postSource({ ...services(), expireAt }).list(domain, 1);
    expect(expireAt).toHaveBeenCalledWith(new Date("2026-11-20T17:00:00Z"));
    await publish(id, {}, new Date("2026-11-21T17:00:00Z"));
    now = new Date("2026-11-20T18:00:00Z");
    expect(await find(slug)).toBeNull();
    now = new Date("2026-11-21T17:00:00Z");
    expect(await findPlaces(slug)).toEqual(everywhere);
    expect(await readWaits()).toBeNull();
  });

  it.each(["row", "file"])("that are a %s can be taken down and published again", async (where) => {
    const slug = where === "file" ? fileSlug : (await publish(null)).slug;
    expect(await findPlaces(slug)).toEqual(everywhere);
    expect(await change(slug, "down")).toEqual({ kind: "done", slug });
    expect(await findPlaces(slug)).toEqual([]);
    expect(await missingPostStatus(services(), slug)).toBe(410);
    const listed = await listPosts(services(), []);
    expect(listed.find((post) => post.slug === slug)).toMatchObject({ state: "down" });
    expect(await change(slug, "again")).toEqual({ kind: "done", slug });
    expect(await findPlaces(slug)).toEqual(everywhere);
    expect(await readActions()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^published again: /),
        expect.stringMatching(/^took down: /),
      ]),
    );
  });

  it("that are files stay down when the file changes", async () => {
    await change(fileSlug, "down");
    const edited = {
      ...site,
      readAll: <T>(folder: Parameters<typeof site.readAll<T>>[0]) =>
        site.readAll(folder).map((record) => ({ ...record })),
    };
    expect(await postSource({ ...services(), site: edited }).find(fileSlug)).toBeNull();
  });

  it.each(["row", "file"])("that are a %s can be corrected with a public note", async (where) => {
    const slug = where === "file" ? fileSlug : (await publish(null)).slug;
    expect(await change(slug, "correct", "  ")).toMatchObject({ kind: "refused" });
    await change(slug, "correct", "It's Pier 5.");
    // The button is pressed twice.
    expect(await change(slug, "correct", "It's Pier 5.")).toMatchObject({ kind: "done" });
    await change(slug, "correct", "And Pier 6.");
    const texts = [
      { date: "2026-11-18", text: "It’s Pier 5." },
      { date: "2026-11-18", text: "And Pier 6." },
    ];
    expect((await find(slug))?.corrections).toEqual(texts);
    expect(await postCorrections(services())).toMatchObject(
      texts.map(({ text }) => ({ path: `/blog/${slug}`, text })),
    );
    const notes = (await readLog(database.db, { count: 10 })).map(({ note }) => note);
    expect(notes).toEqual(expect.arrayContaining(["It's Pier 5.", "And Pier 6."]));
  });

  it("can be renamed, and an earlier version can be published again", async () => {
    const { id, slug } = await publish(null);
    await publish(null, { title: "Taken" });
    expect(await change(slug, "rename", "Taken!")).toMatchObject({ kind: "refused" });
    expect(await change(slug, "rename", fileSlug)).toMatchObject({ kind: "refused" });
    expect(await change(slug, "rename", "The Pier")).toEqual({ kind: "done", slug: "the-pier" });
    expect(await find(slug)).toBeNull();
    expect(await database.db.select().from(redirects)).toMatchObject([
      { oldPath: `/blog/${slug}`, newPath: "/blog/the-pier" },
    ]);
    await publish(id, { text: "Second." });
    await change("the-pier", "correct", "It's Pier 5.");
    const item = await findItem(services(), { kind: "post", id: "the-pier" });
    if (item?.rowId !== String(id)) throw new Error("There is no such row.");
    const post = { ...item, rowId: String(id) };
    const worker = { ...services(), editor: ana, runInWorker: runInThisThread };
    expect(await restoreVersion(worker, post, 9)).toEqual({ kind: "missing" });
    expect(await restoreVersion(worker, post, 1)).toEqual({ kind: "restored" });
    expect(await find("the-pier")).toMatchObject({
      blog: fields.text,
      corrections: [{ text: "It’s Pier 5." }],
    });
    expect(await describeVersions(services(), post, 4)).toMatchObject({
      shown: { isNewest: true, facts: "Ana Reyes, Sam Cole" },
    });
    await change("the-pier", "down");
    expect(await restoreVersion(worker, post, 3)).toEqual({ kind: "restored" });
    expect(await missingPostStatus(services(), "the-pier")).toBe(410);
    await change("the-pier", "again");
    expect(await find("the-pier")).toMatchObject({ blog: "Second." });
  });

  it("become drafts again only if they are rows", async () => {
    const { slug } = await publish(null);
    expect(await change(slug, "draft")).toEqual({ kind: "done", slug });
    expect(await listDrafts(database.db)).toMatchObject([{ kind: "post" }]);
    expect(await findPlaces(slug)).toEqual([]);
    expect(await missingPostStatus(services(), slug)).toBe(404);
    expect(await change(fileSlug, "draft")).toMatchObject({ kind: "refused" });
    expect(await change("none", "down")).toBeNull();
    const [row] = await database.db.select().from(blogPosts).where(eq(blogPosts.slug, slug));
    expect(row?.state).toBe("draft");
  });
});

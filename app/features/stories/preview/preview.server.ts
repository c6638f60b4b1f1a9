import { createHmac } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { ensureSecret } from "../../../../db/secrets.ts";
import { showDateAndTime } from "../../../lib/article-dates.ts";
import { formatByZone } from "../../../lib/dates.ts";
import { isSameSecret } from "../../../lib/is-same-secret.server.ts";
import type { PageServices, Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { storyPreviews } from "../schema.server.ts";
import { listFileStoriesAndDrafts } from "../stories.server.ts";
import { readStoryPage } from "../story-page.server.ts";

export const previewDays = 7;
const previewMs = previewDays * 24 * 60 * 60 * 1000;

export async function createPreviewPath(db: Database, id: string, now: Date) {
  const expiresAt = new Date(now.getTime() + previewMs);
  const time = expiresAt.getTime().toString(36);
  const signature = await sign(db, id, time);
  return { path: `/preview/${id}/${time}.${signature}`, expiresAt };
}

/** Returns until when a token shows the preview of a text, or null if it does not. */
export async function checkPreviewToken(db: Database, id: string, token: string, now: Date) {
  const [, time = "", signature = ""] = /^([0-9a-z]{1,12})\.([\w-]{43})$/.exec(token) ?? [];
  const expiresAt = new Date(Number.parseInt(time, 36));
  if (!(expiresAt > now)) return null;
  return isSameSecret(signature, await sign(db, id, time)) ? expiresAt : null;
}

export async function endPreviewLinks(db: Database, id: string): Promise<void> {
  await db
    .insert(storyPreviews)
    .values({ id, generation: 1 })
    .onConflictDoUpdate({
      target: storyPreviews.id,
      set: { generation: sql`${storyPreviews.generation} + 1` },
    });
}

async function sign(db: Database, id: string, time: string): Promise<string> {
  const [row] = await db
    .select({ generation: storyPreviews.generation })
    .from(storyPreviews)
    .where(eq(storyPreviews.id, id));
  const key = await ensureSecret(db, "previews");
  return createHmac("sha256", key)
    .update(`${id} ${row?.generation ?? 0} ${time}`)
    .digest("base64url");
}

export type PreviewNote = {
  state: "draft" | "scheduled";
  /** When the story will be published. Null for a draft. */
  publishedOn: string | null;
  expiresOn: string;
};

type Preview<Content> =
  | { kind: "shown"; content: Content; note: PreviewNote }
  | { kind: "published" }
  | { kind: "refused" };

export const formatDayAndTime = formatByZone({ dateStyle: "long", timeStyle: "short" });

type PreviewedText = { isDraft: boolean; writtenDate: string; dueAt: Date };

type PreviewedKind<Text extends PreviewedText, Content> = {
  /** Finds the text, also if readers do not see it yet. */
  find(): Promise<Text | null | undefined>;
  /** Returns what the page of the text shows. */
  show(text: Text): Promise<Content>;
};

/** Finds the text of a preview link. An invalid link does not tell whether there is such a text. */
export async function findPreview<Text extends PreviewedText, Content>(
  { site, db, clock }: Pick<Services, "site" | "db" | "clock">,
  { linkId, token }: { linkId: string; token: string },
  { find, show }: PreviewedKind<Text, Content>,
): Promise<Preview<Content>> {
  const now = clock();
  const expiresAt = await checkPreviewToken(db, linkId, token, now);
  const text = expiresAt && (await find());
  if (!text) return { kind: "refused" };
  const { isDraft, writtenDate, dueAt } = text;
  if (!isDraft && dueAt <= now) return { kind: "published" };
  const { timeZone } = site.read(siteSettingsFile);
  return {
    kind: "shown",
    content: await show(text),
    note: {
      state: isDraft ? "draft" : "scheduled",
      publishedOn: isDraft ? null : showDateAndTime(writtenDate, timeZone).text,
      expiresOn: formatDayAndTime(timeZone).format(expiresAt),
    },
  };
}

export const findStoryPreview = (services: PageServices, id: string, token: string) =>
  findPreview(
    services,
    { linkId: id, token },
    {
      find: async () => (await listFileStoriesAndDrafts(services)).find(({ slug }) => slug === id),
      show: (record) => readStoryPage(services, record),
    },
  );

import { afterAll, beforeAll, beforeEach } from "vitest";
import { blogFile, blogFolder } from "../../app/features/blog/files.server.ts";
import { blogPosts } from "../../app/features/blog/schema.server.ts";
import { siteSettingsFile } from "../../app/features/brand/files.server.ts";
import { deskFile } from "../../app/features/desk/files.server.ts";
import { readLog } from "../../app/features/desk/log/log.server.ts";
import type { ItemKind } from "../../app/features/desk/published/model.ts";
import { deskLog } from "../../app/features/desk/schema.server.ts";
import { createDraft, findDraft } from "../../app/features/desk/write/drafts.server.ts";
import {
  type DraftFields,
  emptyFields,
  intentField,
  revisionField,
  writeDraftFields,
} from "../../app/features/desk/write/model.ts";
import { receiveDraft } from "../../app/features/desk/write/receive.server.ts";
import { deskDrafts } from "../../app/features/desk/write/schema.server.ts";
import { eventsFile, eventsFolder } from "../../app/features/events/files.server.ts";
import { eventSubmissions } from "../../app/features/events/schema.server.ts";
import { sectionsFile } from "../../app/features/feeds/files.server.ts";
import { mails } from "../../app/features/mail/schema.server.ts";
import { newsFolder } from "../../app/features/stories/files.server.ts";
import { rememberedStories, storySubmissions } from "../../app/features/stories/schema.server.ts";
import { createLog } from "../../app/lib/log.ts";
import type { Services } from "../../app/platform/services.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { readSite } from "../../server/site/site-files.ts";
import { type databaseKinds, openTestDatabase } from "./database.ts";
import { wholeCity } from "./whole-city.ts";
import { runInThisThread } from "./worker-pool.ts";

export const ana = { name: "Ana Reyes", email: "ana@example.com" };
export const ben = { name: "Ben Ortiz", email: "ben@example.com" };

export const files = await readSite("sites/baltimore", [
  deskFile,
  siteSettingsFile,
  sectionsFile,
  newsFolder,
  blogFile,
  blogFolder,
  eventsFile,
  eventsFolder,
]);

/** A story that can be published. */
export const story: DraftFields = {
  ...emptyFields,
  title: "The ferry is back",
  text: "It is **back**.",
  category: "Neighborhoods",
  authors: "Ana Reyes, Sam Cole",
  excerpt: "From Saturday, it crosses the harbor again.",
};

export function toForm(fields: DraftFields, intent: string, revision: number): FormData {
  const form = writeDraftFields(new FormData(), fields);
  form.set(intentField, intent);
  form.set(revisionField, String(revision));
  return form;
}

const tables = [
  deskDrafts,
  storySubmissions,
  rememberedStories,
  blogPosts,
  eventSubmissions,
  deskLog,
  mails,
];

/** Gives each test of a file a database without drafts, and two editors at noon. */
export function openDrafts(kind: (typeof databaseKinds)[number]) {
  let database: OpenDatabase;
  let now: Date;
  let editors: (typeof ana)[];
  const setTime = (time: string) => {
    now = new Date(time);
  };
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  beforeEach(async () => {
    setTime("2026-11-15T17:00:00Z");
    editors = [ana, ben];
    for (const table of tables) await database.db.delete(table);
  });
  afterAll(() => database.close());

  const site: Services["site"] = {
    read: (file) => (file.path === deskFile.path ? ({ editors } as never) : files.read(file)),
    ...wholeCity,
    readAll: (folder) => files.readAll(folder),
    names: (folder) => files.names(folder),
  };
  const services = (editor = ana) => ({
    db: database.db,
    editor,
    // The log is in the order of time.
    clock: () => {
      now = new Date(now.getTime() + 1);
      return now;
    },
    site,
    log: createLog({ write: () => true }),
    runInWorker: runInThisThread,
    mail: { wake() {} },
  });
  return {
    db: () => database.db,
    setTime,
    setEditors(listed: (typeof ana)[]) {
      editors = listed;
    },
    services,
    begin: async (fields: DraftFields = story, itemKind: ItemKind = "story") =>
      (await createDraft(services(), itemKind, fields)) ?? "",
    async press(
      id: string,
      intent: string,
      fields: DraftFields,
      more: Record<string, string | File> = {},
      revision?: number,
    ) {
      const current = (await findDraft(database.db, id))?.revision ?? 1;
      const form = toForm(fields, intent, revision ?? current);
      for (const [name, value] of Object.entries(more)) form.set(name, value);
      return receiveDraft(services(), id, { kind: "whole", form });
    },
    readActions: async () =>
      (await readLog(database.db, { count: 20 })).map(({ action }) => action).reverse(),
  };
}

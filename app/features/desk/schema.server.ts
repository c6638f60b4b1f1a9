import { index, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** The links that editors get by email to sign in. The secret part of a link is not stored. */
export const deskLinks = pgTable("desk_links", {
  id: uuid().primaryKey().defaultRandom(),
  editor: text().notNull(),
  /** The page of the desk that opens after signing in. */
  target: text().notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  expiresAt: timestamp({ withTimezone: true }).notNull(),
  usedAt: timestamp({ withTimezone: true }),
});

export const deskDevices = pgTable("desk_devices", {
  id: uuid().primaryKey().defaultRandom(),
  /** The hash of the secret in the cookie of this browser. */
  secretHash: text().notNull(),
  editor: text().notNull(),
  /** A hash of the network in which the editor signed in. Null if that was before we stored it. */
  network: text(),
  /** The browser and the system, such as "Chrome on Android". */
  name: text().notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  seenAt: timestamp({ withTimezone: true }).notNull(),
  expiresAt: timestamp({ withTimezone: true }).notNull(),
});

/**
 * What an editor did, as the log says it. Notices and explanations find what was stored by these
 * words.
 */
export type LogAction =
  // Submissions
  | "approved"
  | "rejected"
  | "marked as done"
  | "answered"
  | "edited"
  | "restored"
  | "undid a decision about"
  // What is published
  | "published"
  | "updated"
  | "published again"
  | "unpublished"
  | "took down"
  | "corrected"
  | "pinned"
  | "unpinned"
  | "renamed"
  | "began live updates of"
  | "ended live updates of"
  | "added an entry to"
  | "edited an entry of"
  | "deleted an entry of"
  | `restored version ${number} of`
  // Drafts
  | "took over"
  | "scheduled"
  | "unscheduled"
  | "could not publish"
  | "deleted the draft of"
  // Commands
  | "imported"
  | "removed"
  // Meetings and listings
  | "added"
  | "canceled"
  | "reinstated"
  | "checked"
  // Alerts
  | "extended"
  | "changed"
  | "ended"
  | "deleted"
  | "hidden"
  // Devices
  | "signed in"
  | "signed out";

export const deskLog = pgTable(
  "desk_log",
  {
    id: uuid().primaryKey().defaultRandom(),
    at: timestamp({ withTimezone: true }).notNull(),
    /** The name and the email address of the editor at that time. */
    editorName: text().notNull(),
    editor: text().notNull(),
    action: text().$type<LogAction>().notNull(),
    /** The kind of what the editor did this to, such as "story". */
    kind: text().notNull(),
    /** The ids of what the editor did this to. */
    items: jsonb().$type<string[]>().notNull(),
    /** The title, or "12 messages". */
    title: text().notNull(),
    /** A detail, such as the reason of a rejection. */
    note: text().notNull(),
  },
  (table) => [index("desk_log_newest").on(table.at)],
);

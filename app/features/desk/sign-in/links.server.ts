import { createHmac, timingSafeEqual } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { and, eq, gt, isNull, lt } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../../db/database.ts";
import { ensureSecret } from "../../../../db/secrets.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import { errorFields } from "../../../lib/log.ts";
import type { MailContent } from "../../../platform/mail.ts";
import type { Services } from "../../../platform/services.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { formsPerHour, optionalText } from "../../forms/receive.server.ts";
import { renderMail } from "../../mail/page.server.ts";
import { queueTemplateMails } from "../../mail/queue.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { deskFile, type Editor, findEditor } from "../files.server.ts";
import { enterPath, linkLifetimeMinutes, toDeskTarget, tokenParam } from "../model.ts";
import { deskLinks } from "../schema.server.ts";

/** The form that asks for a link. Its answer is the same for every address. */
export const signInForm = {
  name: "desk",
  limit: formsPerHour("requests to sign in at the desk", { visitor: 10, all: 300 }),
  hasToken: false,
  schema: z.object({ email: optionalText(200) }),
};

/** The template of the email with a link. Its secret is never stored. */
export const linkTemplate = "desk:link";

/** An editor gets at most this many links per hour by email. */
const maxLinksPerHour = 6;

type LinkServices = Pick<Services, "db" | "clock" | "site" | "log">;

/** How long after a request the email is queued. By then, the response has been sent. */
const queueDelayMs = 500;

/**
 * Stores a link for an address and sends it, if an editor has this address. Strangers learn nothing
 * from how long the answer takes: the email is queued after it, because the database would otherwise
 * be busy with the email while the answer waits for it.
 */
export async function requestLink(
  services: LinkServices & Pick<Services, "mail">,
  email: string,
  target: string,
) {
  const { db, clock, site, log, mail } = services;
  const editor = findEditor(site.read(deskFile), email);
  const { id } = await storeLink(db, clock, editor?.email ?? "", target);
  if (!editor) return;
  pause(queueDelayMs)
    .then(() => queueLink(services, editor, id))
    .then(
      () => mail.wake(),
      (error) => log.error("desk.link_not_sent", errorFields(error)),
    );
}

async function queueLink(
  { db, clock, log }: Pick<Services, "db" | "clock" | "log">,
  { email }: Editor,
  id: string,
): Promise<void> {
  const anHourAgo = new Date(clock().getTime() - 3_600_000);
  // Requests do not count, only emails: a flood of requests must not keep all of them back.
  const recent = await db.$count(
    mails,
    and(
      eq(mails.recipient, email),
      eq(mails.template, linkTemplate),
      gt(mails.createdAt, anHourAgo),
    ),
  );
  if (recent >= maxLinksPerHour) return log.warn("desk.too_many_links", { editor: email });
  await queueTemplateMails(db, clock, [
    { key: `desk:${id}`, to: email, template: linkTemplate, about: id, dueAt: clock() },
  ]);
}

async function storeLink(db: Database, clock: Clock, editor: string, typedTarget: string) {
  const createdAt = clock();
  const expiresAt = new Date(createdAt.getTime() + linkLifetimeMinutes * 60_000);
  const [link] = await db
    .insert(deskLinks)
    .values({ editor, target: toDeskTarget(typedTarget), createdAt, expiresAt })
    .returning({ id: deskLinks.id });
  if (!link) throw new Error("The link was not stored.");
  return link;
}

/** Creates a link without an email, for an editor at a terminal. */
export async function createLink(
  { db, clock }: Pick<Services, "db" | "clock">,
  origin: string,
  editor: Editor,
): Promise<string> {
  const { id } = await storeLink(db, clock, editor.email, "");
  return toUrl(db, origin, id);
}

const toUrl = async (db: Database, origin: string, id: string) =>
  `${origin}${enterPath}?${tokenParam}=${id}.${await sign(db, id)}`;

async function sign(db: Database, id: string): Promise<string> {
  const key = await ensureSecret(db, "desk");
  return createHmac("sha256", key).update(`link ${id}`).digest("base64url");
}

/** Renders the email with the link `id`. Null if the link has expired or was used meanwhile. */
export async function renderLinkMail(
  { db, clock, site }: Pick<Services, "db" | "clock" | "site">,
  id: string,
): Promise<MailContent | null> {
  const [link] = await db.select().from(deskLinks).where(eq(deskLinks.id, id));
  const editor = findEditor(site.read(deskFile), link?.editor ?? "");
  if (!link || !editor || link.usedAt || link.expiresAt <= clock()) return null;
  const { origin, name, shortName, city } = site.read(siteSettingsFile);
  return {
    subject: `Sign in at the desk of ${name}`,
    ...renderMail({
      brand: { shortName, city, origin },
      imprint: { name, ...site.read(contactFile).address },
      heading: "The desk",
      parts: [
        { kind: "paragraph", text: `Hello ${editor.name}, here is your link to the desk.` },
        { kind: "button", label: "Sign in", link: await toUrl(db, origin, id) },
        {
          kind: "paragraph",
          text: `It works once, for ${linkLifetimeMinutes} minutes. If you did not ask for it, you need not do anything: without this link, nobody can sign in as you.`,
        },
      ],
    }),
  };
}

export type LinkState =
  | { kind: "valid"; id: string; editor: Editor; target: string }
  | { kind: "used" | "expired" | "unknown" };

/** Checks a link without changing anything: programs that scan emails open every link. */
export async function checkLink(
  { db, clock, site }: Pick<Services, "db" | "clock" | "site">,
  token: string,
): Promise<LinkState> {
  const [, id = "", signature = ""] = /^([0-9a-f-]{36})\.([\w-]{43})$/.exec(token) ?? [];
  if (id === "") return { kind: "unknown" };
  const expected = Buffer.from(await sign(db, id));
  const received = Buffer.from(signature);
  if (received.length !== expected.length || !timingSafeEqual(received, expected))
    return { kind: "unknown" };
  const [link] = await db.select().from(deskLinks).where(eq(deskLinks.id, id));
  const editor = link && findEditor(site.read(deskFile), link.editor);
  if (!editor) return { kind: "unknown" };
  if (link.usedAt) return { kind: "used" };
  if (link.expiresAt <= clock()) return { kind: "expired" };
  return { kind: "valid", id, editor, target: link.target };
}

/** Marks a link as used. Returns false if it was used or has expired meanwhile. */
export async function markUsed(tx: Database, clock: Clock, id: string): Promise<boolean> {
  const now = clock();
  const used = await tx
    .update(deskLinks)
    .set({ usedAt: now })
    .where(and(eq(deskLinks.id, id), isNull(deskLinks.usedAt), gt(deskLinks.expiresAt, now)))
    .returning({ id: deskLinks.id });
  return used.length > 0;
}

export async function deleteOldLinks(db: Database, clock: Clock): Promise<number> {
  const deleted = await db
    .delete(deskLinks)
    .where(lt(deskLinks.createdAt, daysBefore(clock(), 1)))
    .returning({ id: deskLinks.id });
  return deleted.length;
}

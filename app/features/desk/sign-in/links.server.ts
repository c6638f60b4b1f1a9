import { createHmac } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { and, eq, gt, isNull, lt, lte } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../../db/database.ts";
import { deleteRows } from "../../../../db/rows.ts";
import { ensureSecret } from "../../../../db/secrets.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import { type Limit, toVisitor } from "../../../lib/http/limits.server.ts";
import { isSameSecret } from "../../../lib/is-same-secret.server.ts";
import { errorFields } from "../../../lib/log.ts";
import type { MailContent } from "../../../platform/mail.ts";
import type { Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { increaseHourCount } from "../../forms/hour-counts.server.ts";
import { optionalText } from "../../forms/receive.server.ts";
import { readSender, renderMail } from "../../mail/layout.server.ts";
import { queueTemplateMails } from "../../mail/queue.server.ts";
import { deskFile, type Editor, findEditor } from "../files.server.ts";
import { enterPath, linkLifetimeMinutes, toDeskTarget, tokenParam } from "../model.ts";
import { deskDevices, deskLinks } from "../schema.server.ts";
import type { DeskServices } from "../services.ts";

/**
 * How many links an editor gets per hour by email: at most three for requests from one network, and
 * twelve for requests from all networks in which the editor has no device. So strangers with many
 * networks cannot use up the links of an editor who asks from a network that we know.
 */
const linksPerHour = { network: 3, editor: 12 };

/**
 * The form that asks for a link. Its answer is the same for every address, so that strangers cannot
 * find out who is an editor. It has no limit for all visitors together, because strangers could
 * reach that limit and so lock out the editors.
 */
export const signInForm = {
  name: "desk",
  limit: {
    what: "requests to sign in at the desk",
    perHour: { visitor: 10 },
    also: {
      visitor: `${linksPerHour.network} emails to one editor`,
      all: `${linksPerHour.editor} emails to each editor, and ${linksPerHour.network} more from each network in which the editor is signed in`,
    },
    messages: {
      visitor: "You have asked for many links this hour. Please use the newest one in your email.",
    },
  } satisfies Limit,
  hasToken: false,
  schema: z.object({ email: optionalText(200) }),
};

/** The template of the email with a link. Its secret is never stored. */
export const linkTemplate = "desk:link";

type LinkServices = Pick<Services, "db" | "clock" | "site" | "log">;

/**
 * How long after a request the link is stored. By then, the response has been sent: otherwise its
 * duration would show strangers which addresses editors have.
 */
const queueDelayMs = 500;

type LinkRequest = { email: string; target: string; ipAddress: string };

/** Stores and sends a link if an editor has the address. */
export async function requestLink(
  services: LinkServices & Pick<Services, "mail">,
  { email, target, ipAddress }: LinkRequest,
) {
  const { site, log, mail } = services;
  const editor = findEditor(site.read(deskFile), email);
  if (!editor) return;
  pause(queueDelayMs)
    .then(() => queueLink(services, { email: editor.email, target, ipAddress }))
    .then(
      () => mail.wake(),
      (error) => log.error("desk.link_not_sent", errorFields(error)),
    );
}

async function queueLink(
  { db, clock, log }: Pick<Services, "db" | "clock" | "log">,
  { email, target, ipAddress }: LinkRequest,
): Promise<void> {
  const network = await hashNetwork(db, ipAddress);
  // One household may have many networks, but only one region.
  const region = await hashWithSecret(db, `region ${toVisitor(ipAddress).region ?? network}`);
  const count = (whom: string) => increaseHourCount(db, clock, { what: linkTemplate, whom });
  const { editor, network: knownNetwork, expiresAt } = deskDevices;
  const isKnown = and(eq(editor, email), eq(knownNetwork, network), gt(expiresAt, clock()));
  // A request that the network may not send anymore does not count for the editor.
  if (
    (await count(`${email} ${region}`)) > linksPerHour.network ||
    ((await db.$count(deskDevices, isKnown)) === 0 && (await count(email)) > linksPerHour.editor)
  )
    return log.warn("desk.too_many_links", { editor: email });
  await db.transaction(async (tx) => {
    const { id } = await storeLink(tx, clock, email, target);
    await queueTemplateMails(tx, clock, [
      { key: `desk:${id}`, to: email, template: linkTemplate, about: id, dueAt: clock() },
    ]);
  });
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

const sign = (db: Database, id: string) => hashWithSecret(db, `link ${id}`);

/** Hashes the network of a request, so that we recognize it but do not store the address. */
export const hashNetwork = (db: Database, ipAddress: string) =>
  hashWithSecret(db, `network ${toVisitor(ipAddress).visitor}`);

async function hashWithSecret(db: Database, text: string): Promise<string> {
  const key = await ensureSecret(db, "desk");
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** Renders the email with the link `id`. Null if the link has expired or was used meanwhile. */
export async function renderLinkMail(
  { db, clock, site }: DeskServices,
  id: string,
): Promise<MailContent | null> {
  const [link] = await db.select().from(deskLinks).where(eq(deskLinks.id, id));
  const editor = findEditor(site.read(deskFile), link?.editor ?? "");
  if (!link || !editor || link.usedAt || link.expiresAt <= clock()) return null;
  const { origin, name } = site.read(siteSettingsFile);
  return {
    subject: `Sign in at the desk of ${name}`,
    ...renderMail({
      ...readSender(site),
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
  | { kind: "valid"; id: string; editor: Editor; target: string; createdAt: Date }
  | { kind: "used" | "expired" | "unknown" };

/** Checks a link without changing anything: programs that scan emails open every link. */
export async function checkLink(
  { db, clock, site }: DeskServices,
  token: string,
): Promise<LinkState> {
  const [, id = "", signature = ""] = /^([0-9a-f-]{36})\.([\w-]{43})$/.exec(token) ?? [];
  if (id === "") return { kind: "unknown" };
  if (!isSameSecret(signature, await sign(db, id))) return { kind: "unknown" };
  const [link] = await db.select().from(deskLinks).where(eq(deskLinks.id, id));
  const editor = link && findEditor(site.read(deskFile), link.editor);
  if (!editor) return { kind: "unknown" };
  if (link.usedAt) return { kind: "used" };
  if (link.expiresAt <= clock()) return { kind: "expired" };
  return { kind: "valid", id, editor, target: link.target, createdAt: link.createdAt };
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

/** Ends the unused links of an editor, or those that were created up to a time. */
export async function endLinks(
  db: Database,
  clock: Clock,
  editor: string,
  createdUntil = clock(),
): Promise<void> {
  await db
    .update(deskLinks)
    .set({ expiresAt: createdUntil })
    .where(
      and(
        eq(deskLinks.editor, editor),
        isNull(deskLinks.usedAt),
        lte(deskLinks.createdAt, createdUntil),
        gt(deskLinks.expiresAt, createdUntil),
      ),
    );
}

export const deleteOldLinks = (db: Database, clock: Clock): Promise<number> =>
  deleteRows(db, deskLinks, lt(deskLinks.createdAt, daysBefore(clock(), 1)));

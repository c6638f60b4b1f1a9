import { createHash, randomBytes } from "node:crypto";
import { desc, eq, gt, inArray, lt } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { deleteRows } from "../../../../db/rows.ts";
import { shortTimestamp } from "../../../lib/dates.ts";
import { isSameSecret } from "../../../lib/is-same-secret.server.ts";
import { isUuid } from "../../../lib/is-uuid.ts";
import type { Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { queueMail } from "../../mail/queue.server.ts";
import { deskFile, type Editor, findEditor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
import { deskPath, deviceLifetimeDays, otherDevices, thisDevice } from "../model.ts";
import { deskDevices, deskLinks } from "../schema.server.ts";
import type { DeskServices } from "../services.ts";
import { checkLink, endLinks, hashNetwork, type LinkState, markUsed } from "./links.server.ts";

/** Browsers accept a cookie with this prefix only over HTTPS, for this host and every path. */
const cookieName = "__Host-desk";
const dayMs = 24 * 60 * 60 * 1000;
/** How often the time of a device's last request is stored. */
const seenIntervalMs = 5 * 60 * 1000;

export type Session = { editor: Editor; deviceId: string };

const hash = (secret: string) => createHash("sha256").update(secret).digest("base64url");

const cookie = (value: string, maxAgeSeconds: number) =>
  `${cookieName}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`;

export const deletedCookie = cookie("", 0);

function readCookie(header: string | null): { id: string; secret: string } | null {
  const [, id = "", secret = ""] =
    /(?:^|; ?)__Host-desk=([0-9a-f-]{36})\.([\w-]{43})(?:;|$)/.exec(header ?? "") ?? [];
  return isUuid(id) ? { id, secret } : null;
}

export const hasCookie = (header: string | null) => readCookie(header) !== null;

export async function findSession(
  { db, clock, site }: DeskServices,
  cookieHeader: string | null,
): Promise<Session | null> {
  const now = clock();
  const device = await findDevice(db, cookieHeader);
  if (!device || device.expiresAt <= now) return null;
  const editor = findEditor(site.read(deskFile), device.editor);
  if (!editor) return null;
  if (now.getTime() - device.seenAt.getTime() > seenIntervalMs)
    await db.update(deskDevices).set({ seenAt: now }).where(eq(deskDevices.id, device.id));
  return { editor, deviceId: device.id };
}

/** Finds the device that has the secret in a request's cookie. It may have expired. */
async function findDevice(db: Database, cookieHeader: string | null) {
  const found = readCookie(cookieHeader);
  if (!found) return null;
  const [device] = await db.select().from(deskDevices).where(eq(deskDevices.id, found.id));
  return device && isSameSecret(hash(found.secret), device.secretHash) ? device : null;
}

type EnteringBrowser = { cookieHeader: string | null; userAgent: string; ipAddress: string };

/**
 * Signs in with a link. The browser gets a new cookie, and its earlier device is signed out.
 * Returns the value of the Set-Cookie header, or what is wrong with the link.
 */
export async function enterDesk(
  services: DeskServices,
  token: string,
  { cookieHeader, userAgent, ipAddress }: EnteringBrowser,
): Promise<
  { kind: "entered"; setCookie: string; target: string } | Exclude<LinkState, { kind: "valid" }>
> {
  const { db, clock } = services;
  const link = await checkLink(services, token);
  if (link.kind !== "valid") return link;
  const secret = randomBytes(32).toString("base64url");
  const now = clock();
  const previous = await findDevice(db, cookieHeader);
  const network = await hashNetwork(db, ipAddress);
  return db.transaction(async (tx) => {
    if (!(await markUsed(tx, clock, link.id))) return { kind: "used" };
    await endLinks(tx, clock, link.editor.email, link.createdAt);
    if (previous) await tx.delete(deskDevices).where(eq(deskDevices.id, previous.id));
    const name = describeBrowser(userAgent);
    const [device] = await tx
      .insert(deskDevices)
      .values({
        secretHash: hash(secret),
        editor: link.editor.email,
        network,
        name,
        createdAt: now,
        seenAt: now,
        expiresAt: new Date(now.getTime() + deviceLifetimeDays * dayMs),
      })
      .returning({ id: deskDevices.id });
    await writeLog(tx, clock, link.editor, { action: "signed in", kind: "device", title: name });
    const value = `${device?.id}.${secret}`;
    return {
      kind: "entered",
      setCookie: cookie(value, (deviceLifetimeDays * dayMs) / 1000),
      target: link.target,
    };
  });
}

const browsers = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const;

const systems = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "Mac"],
  [/\bCrOS\b/, "Chromebook"],
  [/\bLinux\b/, "Linux"],
] as const;

/** Names a browser for its owner, such as "Chrome on Android". */
export function describeBrowser(userAgent: string): string {
  const find = (known: readonly (readonly [RegExp, string])[], otherwise: string) =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1] ?? otherwise;
  return `${find(browsers, "A browser")} on ${find(systems, "an unknown system")}`;
}

type Device = { id: string; editor: string; name: string; createdAt: Date; seenAt: Date };

/** The devices of all editors whom the file still lists, last used first. */
export async function listDevices({ db, clock, site }: DeskServices): Promise<Device[]> {
  const { id, editor, name, createdAt, seenAt, expiresAt } = deskDevices;
  const devices = await db
    .select({ id, editor, name, createdAt, seenAt })
    .from(deskDevices)
    .where(gt(expiresAt, clock()))
    .orderBy(desc(seenAt), desc(createdAt));
  const desk = site.read(deskFile);
  return devices.filter((device) => findEditor(desk, device.editor));
}

export async function endDevices(db: Database, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const ended = await db
    .delete(deskDevices)
    .where(inArray(deskDevices.id, ids))
    .returning({ id: deskDevices.id });
  return ended.length;
}

export const deleteOldDevices = ({ db, clock }: DeskServices): Promise<number> =>
  deleteRows(db, deskDevices, lt(deskDevices.expiresAt, clock()));

/**
 * Signs out editors whom desk.yaml no longer lists, so that they stay signed out if it lists them
 * again. Without the file, nobody is signed out: it may be missing while somebody replaces it.
 */
export async function endUnlistedDevices({ db, site }: DeskServices): Promise<void> {
  const desk = site.read(deskFile);
  if (!desk) return;
  const devices = await db
    .select({ id: deskDevices.id, editor: deskDevices.editor })
    .from(deskDevices);
  const unlisted = devices.filter(({ editor }) => !findEditor(desk, editor)).map(({ id }) => id);
  await endDevices(db, unlisted);
}

/**
 * Ends all devices and links of a restored backup: one of them may be a stolen phone that was
 * signed out after the backup was made.
 */
export async function endRestored(tx: Pick<Database, "update">, now: Date): Promise<void> {
  await tx.update(deskDevices).set({ expiresAt: now });
  await tx.update(deskLinks).set({ expiresAt: now });
}

/**
 * Editors can sign out the devices of others too, because somebody whose phone is lost may be
 * unable to sign in. Returns whether this device was among the ended ones.
 */
export async function signOut(
  services: Pick<Services, "db" | "clock" | "site" | "mail">,
  { editor, deviceId }: Session,
  typed: string,
): Promise<boolean> {
  const { db, clock, site, mail } = services;
  const { origin, name: siteName, timeZone } = site.read(siteSettingsFile);
  const id = typed === thisDevice ? deviceId : typed;
  const devices = (await listDevices(services)).filter((device) =>
    typed === otherDevices
      ? device.editor === editor.email && device.id !== deviceId
      : device.id === id,
  );
  await db.transaction(async (tx) => {
    await endDevices(
      tx,
      devices.map((device) => device.id),
    );
    for (const device of devices) {
      await endLinks(tx, clock, device.editor);
      const isOwn = device.editor === editor.email;
      await writeLog(tx, clock, editor, {
        action: "signed out",
        kind: "device",
        title: device.name,
        note: isOwn ? "" : device.editor,
      });
      if (!isOwn)
        await queueMail(tx, clock, {
          key: `desk:signed-out:${device.id}`,
          to: device.editor,
          subject: `You were signed out at the desk of ${siteName}`,
          text: `${editor.name} signed out one of your devices (${device.name}) on ${shortTimestamp(clock(), timeZone)}. If you do not know why, please ask. You can sign in again at any time:\n${origin}${deskPath}\n`,
        });
    }
  });
  mail.wake();
  return devices.some((device) => device.id === deviceId);
}

import { eq } from "drizzle-orm";
import { shortTimestamp } from "../../../lib/dates.ts";
import type { MailContent } from "../../../platform/mail.ts";
import type { Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { readSender, renderMail } from "../../mail/layout.server.ts";
import { queueTemplateMails } from "../../mail/queue.server.ts";
import { writeLog } from "../log/log.server.ts";
import { deskPath, otherDevices, thisDevice } from "../model.ts";
import { deskLog } from "../schema.server.ts";
import { endDevices, listDevices, type Session } from "./devices.server.ts";
import { endLinks } from "./links.server.ts";

/** The template of the email to an editor whom another editor signed out. */
export const signedOutTemplate = "desk:signed-out";

/**
 * Signs out this device, all other devices of its editor, or any device of any editor, because a
 * phone may be lost while its owner cannot sign in. Returns whether it was this one.
 */
export async function signOut(
  services: Pick<Services, "db" | "clock" | "site" | "mail">,
  { editor, deviceId }: Session,
  typed: string,
): Promise<boolean> {
  const { db, clock, mail } = services;
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
      const about = await writeLog(tx, clock, editor, {
        action: "signed out",
        kind: "device",
        title: device.name,
        note: isOwn ? "" : device.editor,
      });
      if (!isOwn)
        await queueTemplateMails(tx, clock, [
          {
            key: `desk:${about}`,
            to: device.editor,
            template: signedOutTemplate,
            about,
            dueAt: clock(),
          },
        ]);
    }
  });
  mail.wake();
  return devices.some((device) => device.id === deviceId);
}

/** Renders the email about a device that another editor signed out, from its line in the log. */
export async function renderSignedOutMail(
  { db, site }: Pick<Services, "db" | "site">,
  about: string,
): Promise<MailContent | null> {
  const [entry] = await db.select().from(deskLog).where(eq(deskLog.id, about));
  if (!entry) return null;
  const { origin, name, timeZone } = site.read(siteSettingsFile);
  return {
    subject: `You were signed out at the desk of ${name}`,
    ...renderMail({
      ...readSender(site),
      heading: "The desk",
      parts: [
        {
          kind: "paragraph",
          text: `${entry.editorName} signed out one of your devices (${entry.title}) on ${shortTimestamp(entry.at, timeZone)}. If you do not know why, please ask. You can sign in again at any time.`,
        },
        { kind: "button", label: "Open the desk", link: `${origin}${deskPath}` },
      ],
    }),
  };
}

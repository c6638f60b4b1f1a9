import { setTimeout as pause } from "node:timers/promises";
import { daysBefore } from "../../lib/dates.ts";
import { errorFields } from "../../lib/log.ts";
import type { OutgoingMail } from "../../platform/services.ts";
import { deleteOldMails, sentLifetimeDays } from "./list.server.ts";
import { type MailServices, releaseAbandoned, sendDueMails } from "./send.server.ts";

export type Mailer = OutgoingMail & {
  /** Lets the mails that are under way arrive, and takes no more. */
  close(): Promise<void>;
};

/**
 * A server that does not answer must not keep us from stopping; its mail is then in doubt, and
 * marked so.
 */
const closeTimeoutMs = 10_000;

/**
 * `isAlone`: no other process is at these mails, so whatever is claimed was left by one that is
 * gone.
 */
export async function openMailer(services: MailServices, isAlone: boolean): Promise<Mailer> {
  let hasToRelease = isAlone;
  let running: Promise<void> | null = null;
  let [isAskedAgain, isClosing] = [false, false];

  async function run(): Promise<void> {
    // Before the first mail, not before the server opens: on a full disk the site can be read, but
    // nothing stored.
    if (hasToRelease) await releaseAbandoned(services, true);
    hasToRelease = false;
    do {
      isAskedAgain = false;
      await sendDueMails(services, () => isClosing);
    } while (isAskedAgain && !isClosing);
  }
  function sendDue(): Promise<void> {
    isAskedAgain = true;
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  }
  return {
    kind: services.transport.kind,
    sendDue,
    wake() {
      if (!isClosing)
        sendDue().catch((error) => services.log.error("mail.failed", errorFields(error)));
    },
    async deleteOld() {
      const { db, clock, transport } = services;
      const files = await transport.deleteFilesBefore(daysBefore(clock(), sentLifetimeDays));
      return files + (await deleteOldMails(db, clock));
    },
    deleteFiles: (ids) => services.transport.deleteFiles(ids),
    async close() {
      isClosing = true;
      const inTime = new AbortController();
      const late = pause(closeTimeoutMs, undefined, { signal: inTime.signal }).catch(() => {});
      await Promise.race([running?.catch(() => {}), late]);
      inTime.abort();
    },
  };
}

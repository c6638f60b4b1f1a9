import type { Feature } from "../../platform/feature.ts";
import { contactFile } from "../brand/contact-file.server.ts";
import { brandFile } from "../brand/files.server.ts";
import { newsletterFile } from "./files.server.ts";
import { createDigestCommand } from "./issues/command.server.ts";
import { digestLetter, holdBackLetters, isDigest, knownLetters } from "./issues/issue.server.ts";
import { dueIssue } from "./issues/schedule.ts";
import { type Contributors, sendScheduledDigest } from "./issues/send.server.ts";
import { subscribersCommand } from "./subscribers/command.server.ts";
import { askLetter } from "./subscribers/mails.server.ts";
import { askTemplate, forgetUnconfirmed } from "./subscribers/subscribe.server.ts";

export { unsubscribePath } from "./model.ts";

/** Its issues are made of what other features contribute. */
export const createNewsletter = (features: () => Contributors): Feature => ({
  name: "newsletter",
  commands: [subscribersCommand, createDigestCommand(features)],
  async restore({ db, now, backupCreatedAt: madeAt, readSite }) {
    const site = await readSite([brandFile, newsletterFile]);
    const { schedule } = site.read(newsletterFile).digest;
    // The schedule would otherwise send this one once more.
    const due = schedule ? dueIssue(schedule, now, site.read(brandFile).timeZone) : null;
    const issues = [...(due ? [due] : []), ...(await knownLetters(db))];
    return async (tx) => {
      await holdBackLetters(tx, now, issues);
      const later = new Set(issues.filter(({ at }) => at > madeAt).map(({ id }) => id));
      const note = `These newsletters came due or went out after the backup was made, and count as sent: ${[...later].join(", ")}.`;
      return { notes: later.size > 0 ? [note] : [] };
    };
  },
  files: [newsletterFile],
  retention: { addresses: ({ db, clock }) => forgetUnconfirmed(db, clock) },
  pages(site) {
    const { heading, pitch } = site.read(newsletterFile);
    const aliases = ["Newsletter", "Subscribe", "Sign up", "Unsubscribe"];
    return { "/newsletter": { title: heading, aliases, summary: pitch } };
  },
  jobs: [
    {
      name: "newsletter",
      cron: "* * * * *",
      run: (services) => sendScheduledDigest(features(), services),
    },
  ],
  mails: [
    {
      isFor: isDigest,
      write({ db, site }, template, about) {
        const { origin } = site.read(brandFile);
        return digestLetter(
          db,
          { origin, name: site.read(newsletterFile).heading },
          template,
          about,
        );
      },
    },
    {
      isFor: (template) => template === askTemplate,
      write({ db, clock, site }, _template, about) {
        const { origin, name } = site.read(brandFile);
        const imprint = { name, ...site.read(contactFile).address };
        return askLetter({ db, clock, origin, imprint, texts: site.read(newsletterFile) }, about);
      },
    },
  ],
});

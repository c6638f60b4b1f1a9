import type { Feature } from "../../platform/feature.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { newsletterFile } from "./files.server.ts";
import { createNewsletterCommand } from "./issues/command.server.ts";
import {
  holdBackIssues,
  isIssueTemplate,
  listIssues,
  renderIssueMail,
} from "./issues/issue.server.ts";
import { type Contributors, findDueIssue, sendScheduledIssue } from "./issues/send.server.ts";
import { latestIssue } from "./issues/shown-issue.server.ts";
import { subscribersCommand } from "./subscribers/command.server.ts";
import {
  confirmationTemplate,
  deleteUnconfirmed,
  newsletterRule,
  renderConfirmationMail,
} from "./subscribers/subscribe.server.ts";

export const createNewsletter = (features: () => Contributors): Feature => ({
  name: "newsletter",
  limits: [newsletterRule.limit],
  commands: [subscribersCommand, createNewsletterCommand(features)],
  async restore({ db, now, backupCreatedAt, readSite }) {
    const site = await readSite([siteSettingsFile, newsletterFile]);
    const { schedule } = site.read(newsletterFile).issue;
    // The issue that is due now may already have been sent. It counts as sent, so that the schedule
    // does not send it a second time.
    const due = schedule ? findDueIssue(schedule, now, site.read(siteSettingsFile).timeZone) : null;
    const issues = [...(due ? [due] : []), ...(await listIssues(db))];
    return async (tx) => {
      await holdBackIssues(tx, now, issues);
      const sentSince = new Set(
        issues.filter(({ at }) => at > backupCreatedAt).map(({ id }) => id),
      );
      const note = `These newsletters became due or were sent after the backup was created, and count as sent: ${[...sentSince].join(", ")}.`;
      return { notes: sentSince.size > 0 ? [note] : [] };
    };
  },
  files: [newsletterFile],
  launch(site) {
    if (site.read(newsletterFile).issue.schedule) return [];
    const message = "has no schedule, so issues are sent only by command.";
    const fix = 'Add a schedule, such as { weekday: friday, time: "07:00" }.';
    return [{ file: newsletterFile.path, at: ["issue"], message, fix, isOptional: true }];
  },
  retention: { addresses: ({ db, clock }) => deleteUnconfirmed(db, clock) },
  pages(site) {
    const { heading, pitch } = site.read(newsletterFile);
    const aliases = ["Newsletter", "Subscribe", "Sign up", "Unsubscribe"];
    return { "/newsletter": { title: heading, aliases, summary: pitch, isUnlisted: true } };
  },
  sharedReads: () => [latestIssue],
  jobs: [
    {
      name: "newsletter",
      cron: "* * * * *",
      run: (services) => sendScheduledIssue(features(), services),
    },
  ],
  mails: [
    {
      isFor: isIssueTemplate,
      write: (services, { template, about }) => renderIssueMail(services, template, about),
    },
    {
      isFor: (template) => template === confirmationTemplate,
      write: (services, { about }) => renderConfirmationMail(services, about),
    },
  ],
});

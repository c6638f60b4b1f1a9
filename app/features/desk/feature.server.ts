import type { Feature } from "../../platform/feature.ts";
import { submissionsTemplate } from "../forms/notify-newsroom.server.ts";
import { alertCommand } from "./commands/alert-command.server.ts";
import { blogCommand } from "./commands/blog-command.server.ts";
import { briefCommand } from "./commands/brief-command.server.ts";
import { deskCommand } from "./commands/desk-command.server.ts";
import { eventsCommand } from "./commands/events-command.server.ts";
import { messagesCommand } from "./commands/messages-command.server.ts";
import { officialCommand } from "./commands/official-command.server.ts";
import { storiesCommand } from "./commands/stories-command.server.ts";
import { remindOfListings } from "./entries/listings.server.ts";
import { deskFile } from "./files.server.ts";
import { deleteOldVersions } from "./kinds/versions.server.ts";
import { deleteOldLog } from "./log/log.server.ts";
import {
  deleteOldMailings,
  mailWaitingAlerts,
  queueDueSummary,
  summaryTemplate,
} from "./mail/queue.server.ts";
import { renderSubmissionsMail, renderSummaryMail } from "./mail/render.server.ts";
import { deleteOldDevices, endRestored, endUnlistedDevices } from "./sign-in/devices.server.ts";
import {
  deleteOldLinks,
  linkTemplate,
  renderLinkMail,
  signInForm,
} from "./sign-in/links.server.ts";
import { deleteVisitorHashes } from "./waiting/checks.server.ts";
import { deleteOldUndos } from "./waiting/undo.server.ts";
import { publishDueDrafts } from "./write/publish.server.ts";

export { deskFindings } from "./doctor.server.ts";
export { isDeskPath } from "./model.ts";

export const desk: Feature = {
  name: "desk",
  files: [deskFile],
  launch: (site) =>
    site.read(deskFile)
      ? []
      : [
          {
            file: deskFile.path,
            at: null,
            message: "does not exist, so editors cannot work in the browser.",
            fix: "List the editors: docs/operations.md, The desk.",
            isOptional: true,
          },
        ],
  limits: [signInForm.limit],
  commands: [
    storiesCommand,
    eventsCommand,
    messagesCommand,
    alertCommand,
    blogCommand,
    briefCommand,
    officialCommand,
    deskCommand,
  ],
  onSiteChanged: endUnlistedDevices,
  restore:
    async ({ now }) =>
    async (tx) => {
      await endRestored(tx, now);
      return { notes: [] };
    },
  retention: {
    "desk links": ({ db, clock }) => deleteOldLinks(db, clock),
    "desk devices": deleteOldDevices,
    "desk mailings": ({ db, clock }) => deleteOldMailings(db, clock),
    "desk versions": ({ db }) => deleteOldVersions(db),
    "desk networks": ({ db }) => deleteVisitorHashes(db),
    "desk log": ({ db, clock }) => deleteOldLog(db, clock),
  },
  mails: [
    {
      isFor: (template) => template === linkTemplate,
      write: (services, { about }) => renderLinkMail(services, about),
    },
    {
      isFor: (template) => template === submissionsTemplate,
      write: (services, { recipient, about }) => renderSubmissionsMail(services, recipient, about),
    },
    {
      isFor: (template) => template === summaryTemplate,
      write: (services, { recipient }) => renderSummaryMail(services, recipient),
    },
  ],
  jobs: [
    { name: "listings", cron: "5 * * * *", run: remindOfListings },
    { name: "desk-alerts", cron: "* * * * *", run: mailWaitingAlerts },
    { name: "desk-drafts", cron: "* * * * *", run: publishDueDrafts },
    {
      name: "desk-summary",
      cron: "* * * * *",
      async run(services) {
        if ((await queueDueSummary(services)) === "queued") services.mail.wake();
      },
    },
    {
      name: "desk-undos",
      cron: "* * * * *",
      run: ({ db, clock }) => deleteOldUndos(db, clock),
    },
  ],
};

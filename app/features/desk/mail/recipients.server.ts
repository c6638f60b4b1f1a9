import type { Services } from "../../../platform/services.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { Recipients, SubmissionRef } from "../../forms/notify-newsroom.server.ts";
import { deskFile } from "../files.server.ts";
import { submissionPath } from "../waiting/model.ts";
import { createDeskNotifier } from "./queue.server.ts";

/** Finds who can get the emails about submissions: `notifyNewsroom` chooses. */
export function findRecipients({ clock, site }: Pick<Services, "clock" | "site">): Recipients {
  const desk = site.read(deskFile);
  const { email, tips } = site.read(contactFile);
  const { origin } = site.read(siteSettingsFile);
  const urlOf = (submission: SubmissionRef) => origin + submissionPath(submission);
  return {
    newsroom: email,
    tips,
    desk: desk && { notify: createDeskNotifier(clock, desk), urlOf },
  };
}

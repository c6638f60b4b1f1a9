import type { SiteContent } from "../../../site-files/site-file.server.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { Recipients } from "../../forms/notify-newsroom.server.ts";
import { deskFile } from "../files.server.ts";
import { submissionPath } from "../waiting/model.ts";

/** Finds who gets the emails about submissions: `notifyNewsroom` chooses among them. */
export function findRecipients(site: SiteContent): Recipients {
  const desk = site.read(deskFile);
  const { email, tips } = site.read(contactFile);
  const { origin } = site.read(siteSettingsFile);
  return {
    newsroom: email,
    tips,
    desk: desk && {
      editors: desk.editors.map((editor) => editor.email),
      rhythm: desk.mail,
      urlOf: (submission) => origin + submissionPath(submission),
    },
  };
}

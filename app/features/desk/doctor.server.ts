import { type Finding, good, warning } from "../../lib/newsroom/finding.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import type { SiteContent } from "../../site-files/site-file.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { deskFile } from "./files.server.ts";
import { isSafeOrigin } from "./sign-in/open-desk.server.ts";

/** What keeps editors from signing in. Null in a city without a desk. */
export function deskFindings(site: SiteContent, smtpUrl: URL | undefined): Finding[] | null {
  const desk = site.read(deskFile);
  if (!desk) return null;
  const { origin } = site.read(siteSettingsFile);
  const findings = [
    ...(isSafeOrigin(new URL(origin))
      ? []
      : [
          warning(
            `Nobody can sign in at the desk, because ${origin} is not encrypted.`,
            "Serve the site with HTTPS, and write its URL with https in site.yaml.",
          ),
        ]),
    ...(smtpUrl
      ? []
      : [
          warning(
            "Editors get no links to sign in, because no mail server is configured.",
            'Set SMTP_URL, or print a link with "./newsroom desk link <editor>".',
          ),
        ]),
  ];
  if (findings.length > 0) return findings;
  return [good(`${formatCount(desk.editors.length, "editor")} can sign in`)];
}

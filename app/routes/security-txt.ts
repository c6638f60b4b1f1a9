import { appContext } from "../context.ts";
import { contactFile } from "../features/brand/contact-file.server.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { addDays } from "../lib/dates.ts";
import type { Route } from "./+types/security-txt.ts";

/** RFC 9116 recommends less than a year. */
const validDays = 180;

/** Tells people who find a security hole whom to write to (RFC 9116). */
export function loader({ context }: Route.LoaderArgs) {
  const { site, clock } = context.get(appContext);
  const { origin } = site.read(siteSettingsFile);
  const expires = addDays(clock().toISOString().slice(0, 10), validDays);
  const lines = [
    `Contact: mailto:${site.read(contactFile).email}`,
    `Expires: ${expires}T00:00:00Z`,
    "Preferred-Languages: en",
    `Canonical: ${origin}/.well-known/security.txt`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}

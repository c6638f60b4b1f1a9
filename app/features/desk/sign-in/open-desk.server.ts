import { redirect } from "react-router";
import type { PageServices } from "../../../platform/services.ts";
import { missingPage } from "../../failures/missing.server.ts";
import { deskFile } from "../files.server.ts";
import { deskPath, openPath, withTarget } from "../model.ts";
import { findSession, hasCookie, type Session } from "./devices.server.ts";

type DeskRequest = { request: Request; url: URL };

/**
 * Returns the services with the signed-in editor, or redirects to the sign-in page. Every page of
 * the desk calls this first, except those with which an editor signs in.
 */
export async function openDesk<S extends PageServices>(
  services: S,
  { request, url }: DeskRequest,
): Promise<S & Session> {
  await requireDesk(services);
  const session = await findSession(services, request.headers.get("Cookie"));
  if (session) return { ...services, ...session };
  // The path of a form is the path of its page, which opens after signing in. By these two paths,
  // `sendDeskForm` knows that a form was not stored.
  throw redirect(
    withTarget(isCookieWithheld(request) ? openPath : deskPath, url.pathname + url.search),
  );
}

/**
 * Whether the request comes from a link of another site, such as webmail. Browsers then send no
 * SameSite cookie, so a page of our own has to request the page again.
 */
export const isCookieWithheld = ({ headers }: Request): boolean =>
  headers.get("Sec-Fetch-Site") === "cross-site" && !hasCookie(headers.get("Cookie"));

export async function requireDesk(services: PageServices): Promise<void> {
  if (!services.site.read(deskFile)) throw await missingPage(services);
}

/** Browsers store the cookie of an editor only if nobody can read it on the way. */
export const isSafeOrigin = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

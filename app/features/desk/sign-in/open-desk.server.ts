import { redirect } from "react-router";
import { missingPage } from "../../failures/missing.server.ts";
import { deskFile } from "../files.server.ts";
import { deskPath, openPath, withTarget } from "../model.ts";
import { findSession, hasCookie, type Session } from "./devices.server.ts";

type DeskServices = Parameters<typeof missingPage>[0];
type DeskRequest = { request: Request; url: URL };

/**
 * Returns the editor who sent a request. Every page of the desk calls this first: it redirects
 * everybody else to the sign-in page.
 */
export async function requireEditor(
  services: DeskServices,
  { request, url }: DeskRequest,
): Promise<Session> {
  await requireDesk(services);
  const cookies = request.headers.get("Cookie");
  const session = await findSession(services, cookies);
  if (session) return session;
  const target = request.method === "GET" ? url.pathname + url.search : "";
  // A link in webmail opens without the cookie, because another site asks for the page. A page of
  // our own then asks for it again.
  const isFromOtherSite = request.headers.get("Sec-Fetch-Site") === "cross-site";
  throw redirect(withTarget(isFromOtherSite && !hasCookie(cookies) ? openPath : deskPath, target));
}

/** Responds with the page "not found" in a city without a desk. */
export async function requireDesk(services: DeskServices): Promise<void> {
  if (!services.site.read(deskFile)) throw await missingPage(services);
}

/** Browsers store the cookie of an editor only if nobody can read it on the way. */
export const isSafeOrigin = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

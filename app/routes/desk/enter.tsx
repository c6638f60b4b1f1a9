import { data, redirect } from "react-router";
import { appContext } from "../../context.ts";
import { deskPath, tokenParam } from "../../features/desk/model.ts";
import { EnterPage } from "../../features/desk/pages/sign-in-page.tsx";
import { enterDesk, findSession } from "../../features/desk/sign-in/devices.server.ts";
import { checkLink } from "../../features/desk/sign-in/links.server.ts";
import { isSafeOrigin, requireDesk } from "../../features/desk/sign-in/open-desk.server.ts";
import type { Route } from "./+types/enter.ts";

const readToken = (url: URL) => url.searchParams.get(tokenParam) ?? "";

/** Opening the link changes nothing: only the button signs in. */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  await requireDesk(services);
  const link = await checkLink(services, readToken(url));
  // The link was used, here.
  if (link.kind !== "valid" && (await findSession(services, request.headers.get("Cookie"))))
    throw redirect(deskPath);
  return {
    state: link.kind,
    name: link.kind === "valid" ? link.editor.name : "",
    token: readToken(url),
    isSafe: isSafeOrigin(url),
  };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const services = context.get(appContext);
  await requireDesk(services);
  if (!isSafeOrigin(url)) return data(null, { status: 403 });
  const result = await enterDesk(services, readToken(url), {
    cookieHeader: request.headers.get("Cookie"),
    userAgent: request.headers.get("User-Agent") ?? "",
    ipAddress: services.ipAddress,
  });
  if (result.kind !== "entered") return data(null, { status: 422 });
  throw redirect(result.target, { headers: { "Set-Cookie": result.setCookie } });
}

export const meta = () => [{ title: "Sign in – The desk" }];

export default function EnterRoute({ loaderData }: Route.ComponentProps) {
  return <EnterPage {...loaderData} />;
}

import { data, redirect } from "react-router";
import { appContext } from "../../context.ts";
import { targetParam, toDeskTarget } from "../../features/desk/model.ts";
import { SignInPage } from "../../features/desk/pages/sign-in-page.tsx";
import { findSession } from "../../features/desk/sign-in/devices.server.ts";
import { requestLink, signInForm } from "../../features/desk/sign-in/links.server.ts";
import { isSafeOrigin, requireDesk } from "../../features/desk/sign-in/open-desk.server.ts";
import { receiveForm } from "../../features/forms/receive.server.ts";
import type { RouteHandle } from "../../platform/route-handle.ts";
import type { Route } from "./+types/sign-in.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

const readTarget = (url: URL) => toDeskTarget(url.searchParams.get(targetParam) ?? "");

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  await requireDesk(services);
  if (await findSession(services, request.headers.get("Cookie"))) throw redirect(readTarget(url));
  return { isSafe: isSafeOrigin(url), mailsAreFiles: services.mail.kind === "files" };
}

export async function action({ url, context }: Route.ActionArgs) {
  const services = context.get(appContext);
  await requireDesk(services);
  const { form } = services.readForm();
  const result = await receiveForm(signInForm, form, services, ({ email }) =>
    requestLink(services, email, readTarget(url)),
  );
  return result.kind === "refused"
    ? data(result, { status: result.status })
    : { kind: "sent" as const };
}

export const meta = () => [{ title: "Sign in – The desk" }];

export default function SignInRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SignInPage {...loaderData} result={actionData} />;
}

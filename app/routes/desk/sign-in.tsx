import { data, redirect } from "react-router";
import { appContext } from "../../context.ts";
import {
  deskPath,
  openPath,
  targetParam,
  toDeskTarget,
  withTarget,
} from "../../features/desk/model.ts";
import { SignInPage } from "../../features/desk/pages/sign-in-page.tsx";
import { findSession } from "../../features/desk/sign-in/devices.server.ts";
import { requestLink, signInForm } from "../../features/desk/sign-in/links.server.ts";
import {
  isCookieWithheld,
  isSafeOrigin,
  requireDesk,
} from "../../features/desk/sign-in/open-desk.server.ts";
import { receiveForm } from "../../features/forms/receive.server.ts";
import type { Route } from "./+types/sign-in.ts";

const sentParam = "sent";

const readTarget = (url: URL) => toDeskTarget(url.searchParams.get(targetParam) ?? "");

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  await requireDesk(services);
  const target = readTarget(url);
  if (isCookieWithheld(request)) throw redirect(withTarget(openPath, target));
  if (await findSession(services, request.headers.get("Cookie"))) throw redirect(target);
  return {
    isSafe: isSafeOrigin(url),
    isSent: url.searchParams.has(sentParam),
    sendsMail: services.mail.kind !== "files",
  };
}

export async function action({ url, context }: Route.ActionArgs) {
  const services = context.get(appContext);
  await requireDesk(services);
  if (!isSafeOrigin(url)) throw redirect(deskPath);
  const { form } = services.readForm();
  const { ipAddress } = services;
  const result = await receiveForm(signInForm, form, services, ({ email }) =>
    requestLink(services, { email, target: readTarget(url), ipAddress }),
  );
  if (result.kind === "refused") return data(result, { status: result.status });
  // Otherwise, the address would end with "?index", by which the router finds the form.
  throw redirect(`${deskPath}?${sentParam}=1`);
}

export const meta = () => [{ title: "Sign in – The desk" }];

export default function SignInRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SignInPage {...loaderData} refusal={actionData} />;
}

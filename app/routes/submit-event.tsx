import { data } from "react-router";
import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { findRecipients } from "../features/desk/mail/queue.server.ts";
import { eventsFile } from "../features/events/files.server.ts";
import { submitEventPath } from "../features/events/model.ts";
import { SubmitEventPage } from "../features/events/pages/submit-page.tsx";
import { receiveEvent } from "../features/events/receive-event.server.ts";
import { createToken } from "../features/forms/receive.server.ts";
import { sendForm } from "../features/forms/send-form.ts";
import { calendarDay } from "../lib/dates.ts";
import { revalidateUnlessFormSent } from "../lib/http/revalidation.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/submit-event.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader({ context }: Route.LoaderArgs) {
  const { site, db, clock } = context.get(appContext);
  const { submit, categories } = site.read(eventsFile);
  return {
    texts: submit,
    categories: categories.map(({ name }) => name),
    today: calendarDay(clock(), site.read(siteSettingsFile).timeZone),
    token: await createToken({ db, clock }),
  };
}

export async function action({ context }: Route.ActionArgs) {
  const services = context.get(appContext);
  const { form } = services.readForm();
  const receiver = { ...services, recipients: findRecipients(services.site) };
  const result = await receiveEvent(form, receiver);
  if (result.kind === "refused") return data(result, { status: result.status });
  services.mail.wake();
  return { kind: result.kind };
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  sendForm(request, serverAction, submitEventPath);

export const shouldRevalidate = revalidateUnlessFormSent;

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { title, description } = loaderData.texts;
  return pageMeta(root.loaderData.site, {
    title,
    description,
    path: submitEventPath,
    index: false,
  });
}

export default function SubmitEventRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SubmitEventPage {...loaderData} result={actionData} />;
}

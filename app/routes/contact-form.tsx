import { appContext } from "../context.ts";
import { contactFile } from "../features/brand/contact-file.server.ts";
import { ContactForm, contactFormPath } from "../features/contact/contact-form.tsx";
import { contactPageFile } from "../features/contact/files.server.ts";
import { contactForm, storeMessage } from "../features/contact/messages.server.ts";
import { tipCategory } from "../features/contact/model.ts";
import { createToken, receiveForm } from "../features/forms/receive.server.ts";
import { respondToForm } from "../features/forms/respond.server.ts";
import { sendForm } from "../features/forms/send-form.ts";
import { readForm } from "../lib/form.ts";
import { loaderDataOf } from "../lib/http/loader-data.ts";
import { revalidateUnlessFormSent } from "../lib/http/revalidation.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/contact-form.ts";

export const handle = { page: { cache: "none" } } satisfies RouteHandle;

export async function loader({ context }: Route.LoaderArgs) {
  const { site, db, clock } = context.get(appContext);
  return { form: site.read(contactPageFile).form, token: await createToken({ db, clock }) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(appContext);
  const { categories } = services.site.read(contactPageFile).form;
  const { email, tips } = services.site.read(contactFile);
  const result = await receiveForm(
    contactForm(categories.map(({ value }) => value)),
    await readForm(request),
    services,
    (message, key) => {
      const to = message.category === tipCategory ? tips : email;
      const label =
        categories.find(({ value }) => value === message.category)?.label ?? message.category;
      return storeMessage({ ...services, to }, message, label, key);
    },
  );
  return respondToForm(result, services.mail);
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  sendForm(request, serverAction, contactFormPath);

export const shouldRevalidate = revalidateUnlessFormSent;

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { heading: title } = loaderData.form;
  const page = { title, description: title, path: "/contact/form", index: false };
  return pageMeta(loaderDataOf(matches, "root")?.site, page);
}

export default function ContactFormRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <main aria-label={loaderData.form.heading} className="min-h-dvh bg-surface p-6">
      <ContactForm texts={loaderData.form} token={loaderData.token} result={actionData} />
    </main>
  );
}

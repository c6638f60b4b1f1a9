import { appContext } from "../context.ts";
import { externalFormResponse } from "../features/contact/embeds.server.ts";
import { contactPageFile } from "../features/contact/files.server.ts";
import type { Route } from "./+types/embed-contact-form.ts";

/** The form of another company, which some cities use. Ours is `contact-form.tsx`. */
export function loader({ context }: Route.LoaderArgs) {
  const { outside: external } = context.get(appContext).site.read(contactPageFile);
  if (!external?.script) throw new Response("There is no such form.\n", { status: 404 });
  return externalFormResponse({ url: external.url, script: external.script });
}

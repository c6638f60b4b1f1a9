import { appContext } from "../context.ts";
import { externalFormResponse } from "../features/contact/embeds.server.ts";
import { contactPageFile } from "../features/contact/files.server.ts";
import type { Route } from "./+types/external-form.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { outside } = context.get(appContext).site.read(contactPageFile);
  if (!outside?.script) throw new Response("There is no such form.\n", { status: 404 });
  return externalFormResponse({ url: outside.url, script: outside.script });
}

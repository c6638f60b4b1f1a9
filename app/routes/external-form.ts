import { appContext } from "../context.ts";
import { contactPageFile } from "../features/contact/files.server.ts";
import { outsideFormFrame } from "../features/contact/frames.server.ts";
import type { Route } from "./+types/external-form.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { outside } = context.get(appContext).site.read(contactPageFile);
  if (!outside?.script) throw new Response("There is no such form.\n", { status: 404 });
  return outsideFormFrame({ url: outside.url, script: outside.script });
}

import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { appContext } from "../../../context.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { findDraft } from "../../../features/desk/write/drafts.server.ts";
import { previewChannel } from "../../../features/desk/write/model.ts";
import { previewDraft } from "../../../features/desk/write/show.server.ts";
import { missingPage } from "../../../features/failures/missing.server.ts";
import { StoryPage } from "../../../features/stories/pages/story-page.tsx";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/preview.ts";

export const handle = { cache: "none", ownFrame: true } satisfies RouteHandle;

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  await requireEditor(services, args);
  const draft = await findDraft(services.db, args.params.id);
  if (!draft) throw await missingPage(services);
  return { id: draft.id, page: await previewDraft(services, draft) };
}

export const meta = () => [{ title: "Preview – The desk" }];

/** The page as readers will see it. It follows what the editor types beside it or in another tab. */
export default function WritePreviewRoute({ loaderData: { id, page } }: Route.ComponentProps) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const channel = new BroadcastChannel(previewChannel(id));
    channel.onmessage = () => revalidate();
    return () => channel.close();
  }, [id, revalidate]);
  return (
    <main id="main" tabIndex={-1}>
      <StoryPage content={page} isPreview />
    </main>
  );
}

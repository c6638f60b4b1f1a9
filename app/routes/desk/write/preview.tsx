import { useEffect, useState } from "react";
import { redirect, useRevalidator } from "react-router";
import { appContext } from "../../../context.ts";
import { PostPage } from "../../../features/blog/pages/post-page.tsx";
import type { DraftPreview } from "../../../features/desk/kinds/kind.ts";
import { deskKinds } from "../../../features/desk/kinds/kinds.server.ts";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { findDraft } from "../../../features/desk/write/drafts.server.ts";
import { backParam, draftPath, previewChannel } from "../../../features/desk/write/model.ts";
import { EventPage } from "../../../features/events/pages/event-page.tsx";
import { StoryPage } from "../../../features/stories/pages/story-page.tsx";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import { Link } from "../../../ui/link.tsx";
import type { Route } from "./+types/preview.ts";

export const handle = { cache: "none", ownFrame: true } satisfies RouteHandle;

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const draft = await findDraft(desk.db, args.params.id);
  // The page of the draft says what became of it.
  if (!draft) throw redirect(draftPath(args.params.id));
  const hasBar = new URL(args.request.url).searchParams.has(backParam);
  return { id: draft.id, hasBar, preview: await deskKinds[draft.kind].preview(desk, draft) };
}

export const meta = () => [{ title: "Preview – The desk" }];

/**
 * The page as readers will see it. It follows what the editor types beside it or in another tab.
 */
export default function WritePreviewRoute({
  loaderData: { id, hasBar, preview },
}: Route.ComponentProps) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const channel = new BroadcastChannel(previewChannel(id));
    channel.onmessage = () => revalidate();
    return () => channel.close();
  }, [id, revalidate]);
  const [isBeside, setBeside] = useState(false);
  useEffect(() => setBeside(window.parent !== window), []);
  return (
    <>
      {hasBar && (
        <p className="flex min-h-11 flex-wrap items-center gap-x-2 bg-navy px-4 text-on-navy text-sm">
          Preview · not published
          <Link
            to={draftPath(id)}
            className="ml-auto py-3 underline"
            onClick={(event) => {
              if (returnToDraft(id)) event.preventDefault();
            }}
          >
            ← Back to the draft
          </Link>
        </p>
      )}
      {/* Beside the form, its links would be in the way of the Tab key. */}
      <main id="main" tabIndex={-1} inert={isBeside}>
        <Preview preview={preview} />
      </main>
    </>
  );
}

/** Returns to the tab with the draft, if it is still open, so that the draft is not open twice. */
function returnToDraft(id: string): boolean {
  const draft: Window | null = window.opener;
  if (!draft || draft.closed || draft.location.pathname !== draftPath(id)) return false;
  draft.focus();
  window.close();
  return true;
}

function Preview({ preview }: { preview: DraftPreview }) {
  switch (preview.kind) {
    case "story":
      return <StoryPage content={preview.page} isPreview />;
    case "post":
      return (
        <PostPage
          post={preview.post}
          timeZone={preview.timeZone}
          video={null}
          newsletter={null}
          url={null}
        />
      );
    case "event":
      return <EventPage event={preview.event} next={preview.next} url={null} />;
  }
}

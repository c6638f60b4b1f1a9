import { redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { doneRetentionDays } from "../../../features/contact/model.ts";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { undoIfPressed } from "../../../features/desk/waiting/forms.server.ts";
import { donePath, readListPart } from "../../../features/desk/waiting/model.ts";
import { ListPage } from "../../../features/desk/waiting/pages/list-page.tsx";
import { readList } from "../../../features/desk/waiting/view.server.ts";
import type { Route } from "./+types/done.ts";

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const { page } = readListPart(args.url.searchParams);
  return readList(desk, { list: "done", kind: "message", page });
}

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const undone = await undoIfPressed(desk, desk.readForm().form);
  throw redirect(undone ?? donePath);
}

export const meta = () => [{ title: "Done – The desk" }];

export default function WaitingDoneRoute({ loaderData }: Route.ComponentProps) {
  return (
    <ListPage
      {...loaderData}
      title="Done"
      path={donePath}
      note={`Messages that were answered or marked as done, with the answers. They are here for ${doneRetentionDays} days and are then deleted.`}
      empty={{ title: "Empty.", text: "No message was answered or marked as done lately." }}
      refusal={undefined}
    />
  );
}

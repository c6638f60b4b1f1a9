import { data, redirect, useNavigation } from "react-router";
import { appContext } from "../../../context.ts";
import { sendDeskForm } from "../../../features/desk/pages/send-desk-form.ts";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { restoreChecked, undoIfPressed } from "../../../features/desk/waiting/forms.server.ts";
import {
  binPath,
  noticeParam,
  readListPart,
  toListQuery,
} from "../../../features/desk/waiting/model.ts";
import { ListPage } from "../../../features/desk/waiting/pages/list-page.tsx";
import { readList } from "../../../features/desk/waiting/view.server.ts";
import { rejectedRetentionDays } from "../../../features/stories/readers/model.ts";
import type { Route } from "./+types/bin.ts";

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  return readList(desk, { list: "bin", ...readListPart(args.url.searchParams) });
}

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const { form } = desk.readForm();
  const undone = await undoIfPressed(desk, form);
  if (undone) throw redirect(undone);
  const result = await restoreChecked(desk, form);
  if (result.kind === "refused") return data(result, { status: result.status });
  const query = toListQuery(readListPart(args.url.searchParams));
  throw redirect(`${binPath}${query}${query ? "&" : "?"}${noticeParam}=restored`);
}

export const clientAction = (args: Route.ClientActionArgs) => sendDeskForm(args);

export const meta = () => [{ title: "Bin – The desk" }];

export default function WaitingBinRoute({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <ListPage
      {...loaderData}
      title="Bin"
      path={binPath}
      note={`What was rejected is here for ${rejectedRetentionDays} days and is then deleted. For ten minutes, restoring something is the same as undoing the decision. Later, the names and email addresses of the senders of stories and events are gone.`}
      empty={{ title: "Empty.", text: "Nothing was rejected lately." }}
      bar={
        <div className="waiting-bar">
          <button type="submit" disabled={isBusy} className="button button-gold">
            Restore
          </button>
        </div>
      }
      refusal={actionData}
    />
  );
}

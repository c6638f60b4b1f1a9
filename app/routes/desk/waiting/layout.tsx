import { Outlet } from "react-router";
import { appContext } from "../../../context.ts";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { noticeParam, notices } from "../../../features/desk/waiting/model.ts";
import stylesheet from "../../../features/desk/waiting/waiting.css?url";
import type { Route } from "./+types/layout.ts";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader(args: Route.LoaderArgs) {
  await openDesk(args.context.get(appContext), args);
  const key = args.url.searchParams.get(noticeParam);
  const [, notice = null] = Object.entries(notices).find(([name]) => name === key) ?? [];
  return { notice };
}

export default function WaitingLayout({ loaderData: { notice } }: Route.ComponentProps) {
  return (
    <>
      {notice && (
        <p role="status" className="py-3">
          {notice}
        </p>
      )}
      <Outlet />
    </>
  );
}

import { appContext } from "../../context.ts";
import { targetParam, toDeskTarget } from "../../features/desk/model.ts";
import { requireDesk } from "../../features/desk/sign-in/open-desk.server.ts";
import { Link } from "../../ui/link.tsx";
import type { Route } from "./+types/open.ts";

export async function loader({ url, context }: Route.LoaderArgs) {
  await requireDesk(context.get(appContext));
  return { target: toDeskTarget(url.searchParams.get(targetParam) ?? "") };
}

export const meta = () => [{ title: "One moment – The desk" }];

/** Opens a page of the desk again, now as a request of our own site, with the cookie. */
export default function OpenRoute({ loaderData: { target } }: Route.ComponentProps) {
  return (
    <p className="desk-narrow">
      <meta httpEquiv="refresh" content={`0;url=${target}`} />
      One moment …{" "}
      <Link to={target} reloadDocument className="text-link">
        Open the page
      </Link>
    </p>
  );
}

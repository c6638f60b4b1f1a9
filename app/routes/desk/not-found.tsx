import { appContext } from "../../context.ts";
import { openDesk } from "../../features/desk/sign-in/open-desk.server.ts";
import { missingPage } from "../../features/failures/missing.server.ts";
import type { Route } from "./+types/not-found.ts";

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  throw await missingPage(desk);
}

export const action = loader;

export default function DeskNotFoundRoute() {
  return null;
}

import { Outlet } from "react-router";
import { FailurePage } from "../../features/desk/pages/failure-page.tsx";
import type { Route } from "./+types/failures.ts";

export const meta = ({ error }: Route.MetaArgs) =>
  error === undefined || error === null ? [] : [{ title: "Not here – The desk" }];

export default function DeskPages() {
  return <Outlet />;
}

/** This route is below the layout, so that an error page has the frame of the desk. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <FailurePage error={error} />;
}

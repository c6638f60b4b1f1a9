import { isRouteErrorResponse } from "react-router";
import { isMissing } from "../../../lib/http/missing-status.ts";
import { isRecord } from "../../../lib/is-record.ts";
import { Link } from "../../../ui/link.tsx";
import { ErrorView } from "../../failures/error-view.tsx";

/** A page of the desk throws this if what it should show is gone, but its fate is known. */
export type Missing = {
  text: string;
  place: string | null;
};

const isMissingData = (data: unknown): data is Missing =>
  isRecord(data) && typeof data.text === "string";

/** Instead of a page of the desk that does not exist, or no longer, or could not be shown. */
export function FailurePage({ error }: { error: unknown }) {
  if (!isRouteErrorResponse(error) || !isMissing(error.status)) return <ErrorView error={error} />;
  const { text, place } = isMissingData(error.data)
    ? error.data
    : {
        text: error.status === 410 ? "This is no longer here." : "There is no such page.",
        place: null,
      };
  return (
    <>
      <h1 className="desk-heading">{text}</h1>
      {place ? (
        <Link to={place} className="button button-gold">
          Read it or edit it
        </Link>
      ) : (
        <p>The link may not be complete. The menu leads to everything at the desk.</p>
      )}
    </>
  );
}

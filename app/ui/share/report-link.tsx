import { Link } from "react-router";
import { toQueryString } from "../../lib/links/query.ts";
import { FlagIcon } from "../icons.tsx";

type Props = {
  /** The path of the story, post or event. */
  path: string;
  className: string;
};

/** Leads to the contact form, which then knows what the reader writes about. */
export const ReportLink = ({ path, className }: Props) => (
  <Link
    to={`/contact${toQueryString({ about: path })}#message`}
    rel="nofollow"
    className={className}
  >
    <FlagIcon />
    <span className="share-tool-label">Report a mistake</span>
  </Link>
);

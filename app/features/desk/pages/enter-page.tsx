import { Form } from "react-router";
import { Link } from "../../../ui/link.tsx";
import {
  deskPath,
  deviceLifetimeDays,
  enterPath,
  linkLifetimeMinutes,
  tokenParam,
} from "../model.ts";
import { InsecureNotice } from "./insecure-notice.tsx";

type Props = {
  state: "valid" | "used" | "expired" | "unknown";
  /** The name of the editor. Empty if the link is not valid. */
  name: string;
  token: string;
  isSafe: boolean;
};

const reasons = {
  used: "This link was used already. Each link works once.",
  expired: `This link is too old. A link works for ${linkLifetimeMinutes} minutes.`,
  unknown: "This link does not work. Perhaps a part of it is missing.",
};

export function EnterPage({ state, name, token, isSafe }: Props) {
  if (!isSafe) return <InsecureNotice />;
  if (state !== "valid")
    return (
      <div className="desk-narrow">
        <h1 className="desk-heading">You are not signed in</h1>
        <p>
          {reasons[state]}{" "}
          <Link to={deskPath} className="text-link">
            Get a new link
          </Link>
        </p>
      </div>
    );
  return (
    <div className="desk-narrow">
      <h1 className="desk-heading">Hello, {name}</h1>
      <p>
        You stay signed in in this browser for {deviceLifetimeDays} days. Do this only on a device
        of your own.
      </p>
      <Form
        method="post"
        action={`${enterPath}?${new URLSearchParams({ [tokenParam]: token })}`}
        className="desk-form"
      >
        <button type="submit" className="button button-gold">
          Sign in
        </button>
      </Form>
    </div>
  );
}

import { Form } from "react-router";
import { Link } from "../../../ui/link.tsx";
import { TextField } from "../../forms/fields.tsx";
import type { Refusal } from "../../forms/model.ts";
import {
  deskPath,
  deviceLifetimeDays,
  enterPath,
  linkLifetimeMinutes,
  tokenParam,
} from "../model.ts";

type Props = {
  isSafe: boolean;
  isSent: boolean;
  sendsMail: boolean;
  refusal: Refusal | undefined;
};

export function SignInPage({ isSafe, isSent, sendsMail, refusal }: Props) {
  if (!isSafe) return <InsecureNotice />;
  if (isSent && !sendsMail)
    return (
      <div className="desk-narrow">
        <h1 className="desk-heading">This site cannot send email yet</h1>
        <p>Please ask the person who runs the server for a link.</p>
      </div>
    );
  if (isSent)
    return (
      <div className="desk-narrow">
        <h1 className="desk-heading">Look at your email</h1>
        <p>
          If this is the address of an editor, a link is on its way. It works once, for{" "}
          {linkLifetimeMinutes} minutes.
        </p>
        <p className="mt-3">
          No email?{" "}
          <Link to={deskPath} className="text-link">
            Check the address and try again
          </Link>
        </p>
      </div>
    );
  return (
    <div className="desk-narrow">
      <h1 className="desk-heading">Sign in</h1>
      <p>Type your email address. You get a link, and need no password.</p>
      <Form method="post" className="desk-form">
        {refusal && (
          <p role="alert" className="desk-error">
            {refusal.summary}
          </p>
        )}
        <TextField
          name="email"
          label="Email address"
          type="email"
          autoComplete="email"
          required
          refusal={refusal}
        />
        <button type="submit" className="button button-gold">
          Email me a link
        </button>
      </Form>
    </div>
  );
}

const InsecureNotice = () => (
  <div className="desk-narrow">
    <h1 className="desk-heading">The desk needs HTTPS</h1>
    <p>
      This page was opened over plain HTTP, so anybody on the way could read and use your session.
      Open it with https:// instead. If there is no HTTPS yet, docs/operations.md says how to set it
      up.
    </p>
  </div>
);

type EnterProps = {
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

export function EnterPage({ state, name, token, isSafe }: EnterProps) {
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

import { Form } from "react-router";
import { Link } from "../../../ui/link.tsx";
import { TextField } from "../../forms/fields.tsx";
import type { Refusal } from "../../forms/model.ts";
import { deskPath, linkLifetimeMinutes } from "../model.ts";
import { InsecureNotice } from "./insecure-notice.tsx";

type Props = {
  isSafe: boolean;
  isSent: boolean;
  /** Whether the server can send emails. */
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

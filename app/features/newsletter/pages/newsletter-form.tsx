import { Form } from "react-router";
import { SpamTrap } from "../../forms/spam-trap.tsx";

type Props = {
  id: string;
  /** The email address that the reader typed before. */
  typed?: string | undefined;
  /** Why this email address was refused. */
  error?: string | undefined;
};

export function NewsletterForm({ id, typed, error }: Props) {
  return (
    <Form method="post" action="/newsletter">
      <label htmlFor={id} className="mb-1 block font-medium text-sm">
        Email address
      </label>
      <div className="flex max-w-md flex-wrap gap-2">
        <input
          id={id}
          type="email"
          name="email"
          required
          autoComplete="email"
          defaultValue={typed}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className="field min-w-0 flex-[1_1_12rem]"
        />
        <button type="submit" className="button button-gold">
          Subscribe
        </button>
      </div>
      <SpamTrap />
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-2 font-medium text-crab">
          {error}
        </p>
      )}
    </Form>
  );
}

export type Outcome =
  | { kind: "sent" }
  /**
   * `later`: certainly not accepted, so it can be retried. `refused`: this email is refused
   * permanently. `bounced`: all email to this address is refused permanently. `unclear`: it is not
   * known whether the email was accepted.
   */
  | { kind: "later" | "refused" | "bounced" | "unclear"; error: string };

export type ComposedMail = { id: string; from: string; to: string; content: Buffer };

export type Session = {
  /**
   * Calls `commit` immediately before the email can be accepted, so that after a crash before that
   * it is certain that the email was not sent. If `commit` returns false, nothing is sent and the
   * result is null.
   */
  deliver(mail: ComposedMail, commit: () => Promise<boolean>): Promise<Outcome | null>;
  close(): void;
};

export type Transport = {
  kind: "smtp" | "files";
  maxConnections: number;
  /** Opens a session. If this is not possible now, the session is null. */
  open(): Promise<{ session: Session } | { session: null; error: string }>;
};

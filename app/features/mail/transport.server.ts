/** What became of a mail that was handed to a transport. */
export type Outcome =
  | { kind: "sent" }
  /**
   * `later`: surely not taken, so it may be tried again. `refused`: this mail is refused for good.
   * `bounced`: any mail to this address is. `unclear`: nobody can tell whether it was taken.
   */
  | { kind: "later" | "refused" | "bounced" | "unclear"; error: string };

/** A mail in the form in which it travels. */
export type Message = { id: string; from: string; to: string; content: Buffer };

export type Session = {
  /**
   * `commit` is called once, when the mail is about to be out of our hands: up to then nothing has
   * happened that a crash could leave in doubt. When it says no, nothing is sent and the answer is
   * null.
   */
  deliver(message: Message, commit: () => Promise<boolean>): Promise<Outcome | null>;
  close(): void;
};

export type Transport = {
  kind: "smtp" | "files";
  /** So many mails travel side by side. */
  maxConnections: number;
  /** A way that stands open; null and the reason when there is none just now. */
  open(): Promise<{ session: Session } | { session: null; error: string }>;
  /** Deletes what was laid down before then, and says how much that was. */
  deleteFilesBefore(before: Date): Promise<number>;
  /** Deletes what was laid down of these mails. */
  deleteFiles(ids: string[]): Promise<void>;
};

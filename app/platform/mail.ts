import type { Services } from "./services.ts";

/** The content of an email. */
export type MailContent = {
  subject: string;
  text: string;
  html?: string | null | undefined;
  headers?: Record<string, string> | undefined;
  /** Images that the HTML shows by the URL `cid:<id>`. They are part of the email. */
  images?: { id: string; jpeg: Uint8Array }[] | undefined;
};

/**
 * Renders emails whose text is not stored, because it contains a secret or is the same for
 * thousands of subscribers.
 */
export type MailTemplate = {
  /** Whether this object renders the template of that name. */
  isFor(template: string): boolean;
  /**
   * Renders an email. `about` is the id that is stored with the email, for example of the
   * subscriber. Returns null if the email must no longer be sent.
   */
  write(
    services: Omit<Services, "mail">,
    template: string,
    about: string,
  ): Promise<MailContent | null>;
};

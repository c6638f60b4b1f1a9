import type { Services } from "./services.ts";

/** The text of a mail. */
export type MailContent = {
  subject: string;
  text: string;
  html?: string | null | undefined;
  headers?: Record<string, string> | undefined;
};

/**
 * Mails whose text is not stored, because it contains a secret or is the same for thousands of
 * readers.
 */
export type MailTemplate = {
  isFor(template: string): boolean;
  /** `about` is what the queue stores with the template. Null if the mail is no longer wanted. */
  write(
    services: Omit<Services, "mail">,
    template: string,
    about: string,
  ): Promise<MailContent | null>;
};

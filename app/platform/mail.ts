import type { Services } from "./services.ts";

export type MailContent = {
  subject: string;
  text: string;
  html?: string | null | undefined;
  headers?: Record<string, string> | undefined;
  /** Images that the HTML shows by the URL `cid:<id>`. They are part of the email. */
  images?: { id: string; jpeg: Uint8Array }[] | undefined;
};

/** An email to render. `about` is the id that is stored with it, for example of the subscriber. */
export type TemplateMail = { template: string; about: string; recipient: string };

/**
 * Renders emails whose text is not stored, because the text contains a secret, goes to thousands of
 * subscribers, or tells editors what still waits at the moment of sending.
 */
export type MailTemplate = {
  isFor(template: string): boolean;
  /** Returns null if the email must no longer be sent. */
  write(services: Omit<Services, "mail">, mail: TemplateMail): Promise<MailContent | null>;
};

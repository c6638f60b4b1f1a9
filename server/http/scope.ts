import type { ReceivedForm } from "./forms/receive-form.ts";

/**
 * What a handler knows about a request besides the request itself: its id in the log, its parsed
 * URL, the IP address of its sender, the form that was sent, and whether a missing page has to be
 * rendered.
 */
export type Scope = {
  Bindings: {
    id: string;
    url: URL;
    ipAddress: string;
    posted?: Omit<ReceivedForm, "end">;
    hasMissingPage?: () => boolean;
  };
};

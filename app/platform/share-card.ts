import type { FocusPoint } from "../lib/images/photos.ts";
import type { PageScope, Services } from "./services.ts";

/** The kinds of pages that have a share image. Each is also the first part of their paths. */
export const shareKinds = ["news", "blog", "events", "meetings"] as const;
export type ShareKind = (typeof shareKinds)[number];

/**
 * What the share image of a page shows, which social networks and messengers show with a link to
 * the page.
 */
export type ShareCard = {
  /** The section or category. */
  label: string;
  title: string;
  /** The date and, for an event, the place. */
  lines: string[];
  /** An image on our own server. */
  image: { path: string; alt: string; focus?: FocusPoint | undefined } | null;
  mark: "Sample" | "Canceled" | null;
  /** The day of an event, which is shown in place of a missing image. */
  dateTile: { weekday: string; month: string; day: string } | null;
};

export type ShareCardSource = {
  kind: ShareKind;
  /**
   * Returns null if readers cannot open the page, for example because it is not published yet. If
   * another page shows the result, it gets the tags of the data.
   */
  find(services: Services & PageScope, id: string): Promise<ShareCard | null>;
};

/** Reads an image on our own server, as readers get it. Returns null if there is no such image. */
export type ReadOwnImage = (path: string) => Promise<Uint8Array | null>;

/** Whether the newsroom has removed the file of an image that a post still names. */
export type WasImageRemoved = (path: string) => Promise<boolean>;

export type ShareImages = {
  respond(
    requested: { kind: string; id: string; file: string },
    from: { ifNoneMatch: string | null; ipAddress: string },
  ): Promise<Response>;
};

import { artPath } from "../../../lib/images/art.ts";
import { noPage } from "../../../platform/services.ts";
import type { ShareCard, ShareCardSource } from "../../../platform/share-card.ts";
import type { EventDetails } from "./describe.server.ts";
import { createEventLookup } from "./gather.server.ts";
import { loadEventDetails } from "./view.server.ts";

export function toShareCard(event: EventDetails): ShareCard {
  const { category, title, dateLine, timeLine, location, image, dateTile } = event;
  return {
    label: category === "" ? "Events" : `Events · ${category}`,
    title,
    lines: [dateLine, timeLine, location].filter((line) => line !== ""),
    image: image && { path: artPath(image.file), alt: image.alt, focus: image.focus },
    mark: event.isCanceled ? "Canceled" : event.isSample ? "Sample" : null,
    dateTile,
  };
}

export const eventShareCards: ShareCardSource = {
  kind: "events",
  async find(services, id) {
    const lookup = createEventLookup({ ...services, ...noPage });
    const event = await loadEventDetails(lookup, id);
    return event && toShareCard(event);
  },
};

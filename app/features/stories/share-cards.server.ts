import { artPath, isImageAvailable } from "../../lib/images/art.ts";
import type { ShareCard, ShareCardSource } from "../../platform/share-card.ts";
import type { StoryCard } from "./model.ts";
import { findStoryRecord } from "./stories.server.ts";

/** What the share image of a story shows. */
export const toShareCard = ({ category, title, date, image, isSample }: StoryCard): ShareCard => ({
  label: category,
  title,
  lines: [date],
  image: isImageAvailable(image)
    ? { path: artPath(image.file), alt: image.alt, focus: image.focus }
    : null,
  mark: isSample ? "Sample" : null,
  dateTile: null,
});

export const storyShareCards: ShareCardSource = {
  kind: "news",
  async find(services, id) {
    const record = await findStoryRecord(services, id);
    return record && toShareCard(record);
  },
};

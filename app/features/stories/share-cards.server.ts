import { artPath, isImageAvailable } from "../../lib/site/art.ts";
import type { ShareCard, ShareCardSource } from "../../platform/share-card.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import type { StoryCard } from "./model.ts";
import { findApprovedStory } from "./readers/approved.server.ts";
import { submitStoryFile } from "./readers/files.server.ts";
import { isPublished, recordFromReader } from "./record.server.ts";
import { listFileStories } from "./stories.server.ts";

/** What the share image of a story shows. */
export const toShareCard = ({ category, title, date, image, isSample }: StoryCard): ShareCard => ({
  label: category,
  title,
  lines: [date],
  image: isImageAvailable(image) ? { path: artPath(image.file), alt: image.alt } : null,
  mark: isSample ? "Sample" : null,
  dateTile: null,
});

/** The stories that readers may see, as `findStory` finds them for their pages. */
export const storyShareCards: ShareCardSource = {
  kind: "news",
  async find({ site, db, clock }, id) {
    const now = clock();
    const file = listFileStories({ site }).find(
      (record) => record.id === id && isPublished(record, now),
    );
    if (file) return toShareCard(file);
    const story = await findApprovedStory(db, id);
    if (!story) return null;
    const { timeZone } = site.read(siteSettingsFile);
    const { picture: placeholder } = site.read(submitStoryFile);
    return toShareCard(recordFromReader(story, timeZone, placeholder));
  },
};

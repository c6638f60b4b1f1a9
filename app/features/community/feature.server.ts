import type { Feature } from "../../platform/feature.ts";
import type { SearchDocument } from "../../platform/search-document.ts";
import { checkStoryNames } from "../stories/check.server.ts";
import { communityFile } from "./files.server.ts";
import { readListings, selectListings } from "./listings.server.ts";
import { deleteEndedListings, ownListings } from "./own-listings.server.ts";

export { communityFile } from "./files.server.ts";
export { markChecked } from "./mark-checked.server.ts";

export const community: Feature = {
  name: "community",
  files: [communityFile],
  sharedReads: () => [ownListings],
  retention: { listings: deleteEndedListings },
  checks: [
    (city) => {
      const ids = city.read(communityFile)?.stories.items ?? [];
      return checkStoryNames(city, communityFile.path, ["stories", "items"], ids);
    },
  ],
  pages(site) {
    const { title, description, hero, stories, volunteer } = site.read(communityFile);
    const body = [hero.text, stories.text, volunteer.text].join(" ");
    return { "/community": { title, summary: description, body } };
  },
  documents: {
    async list(services) {
      const { heading } = services.site.read(communityFile).volunteer;
      const { volunteer, groups } = await readListings(services);
      const opportunities = selectListings(services, volunteer).map(
        (item): SearchDocument => ({
          id: `volunteer:${item.id}`,
          kind: "volunteer",
          link: "/community#volunteer",
          title: item.title,
          detail: [item.organization, heading].filter(Boolean).join(" · "),
          summary: item.text,
          body: item.commitment,
        }),
      );
      const links = groups.flatMap((group) =>
        selectListings(services, group.links).map(
          ({ id, title, link, text }): SearchDocument => ({
            id: `resource:${group.name}:${id}`,
            // Search has one kind for everything that the community page lists.
            kind: "volunteer",
            link,
            title,
            detail: group.name,
            summary: text,
          }),
        ),
      );
      return [...opportunities, ...links];
    },
  },
};

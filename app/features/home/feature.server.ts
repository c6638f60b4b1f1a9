import type { CrossFileProblem } from "../../platform/city.ts";
import type { Feature } from "../../platform/feature.ts";
import { checkNames } from "../../site-files/check-names.ts";
import { eventsFolder } from "../events/files.server.ts";
import { newsFolder } from "../stories/files.server.ts";
import { homeFile } from "./files.server.ts";

export const home: Feature = {
  name: "home",
  files: [homeFile],
  checks: [
    (city) => {
      const content = city.read(homeFile);
      if (!content) return [];
      const [stories, events] = [city.names(newsFolder), city.names(eventsFolder)];
      return [
        ...checkNames(
          homeFile.path,
          ["featured"],
          content.featured ?? [],
          newsFolder.folder,
          stories,
        ),
        ...checkNames(
          homeFile.path,
          ["community"],
          content.community ?? [],
          newsFolder.folder,
          stories,
        ),
        ...noteFeaturedTwice(content.featured, content.community),
        ...checkNames(homeFile.path, ["events"], content.events ?? [], eventsFolder.folder, events),
      ];
    },
  ],
};

/** The front page shows no story twice: one in both lists is only among the community stories. */
const noteFeaturedTwice = (featured: string[], community: string[]): CrossFileProblem[] =>
  featured.flatMap((name, index) =>
    community.includes(name)
      ? [
          {
            file: homeFile.path,
            at: ["featured", index],
            field: "featured",
            message: `names ${name}, which is also in community, so it is shown only there`,
            isNote: true,
          },
        ]
      : [],
  );

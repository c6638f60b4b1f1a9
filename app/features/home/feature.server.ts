import type { CrossFileProblem } from "../../platform/city.ts";
import type { Feature } from "../../platform/feature.ts";
import { checkNames } from "../../site-files/check-names.ts";
import type { SiteFolder } from "../../site-files/site-file.server.ts";
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
      const check = (list: "featured" | "community" | "events", folder: SiteFolder<unknown>) =>
        checkNames(homeFile.path, [list], content[list], folder.folder, city.names(folder));
      return [
        ...check("featured", newsFolder),
        ...check("community", newsFolder),
        ...noteFeaturedTwice(content.featured, content.community),
        ...check("events", eventsFolder),
      ];
    },
  ],
};

/** The front page shows no story twice: one in both lists is only among the community stories. */
const noteFeaturedTwice = (featured: string[], community: string[]): CrossFileProblem[] =>
  [...featured.entries()]
    .filter(([, name]) => community.includes(name))
    .map(([index, name]) => ({
      file: homeFile.path,
      at: ["featured", index],
      field: "featured",
      message: `names ${name}, which is also in community, so it is shown only there`,
      isNote: true,
    }));

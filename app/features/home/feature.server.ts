import type { Feature } from "../../platform/feature.ts";
import { checkNames } from "../../site-files/check-names.ts";
import { eventsFolder } from "../events/files.server.ts";
import { checkStoryNames } from "../stories/check.server.ts";
import { homeFile } from "./files.server.ts";

export const home: Feature = {
  name: "home",
  files: [homeFile],
  checks: [
    async (city) => {
      const content = city.read(homeFile);
      if (!content) return [];
      const { featured, community, events } = content;
      const { folder } = eventsFolder;
      return [
        ...(await checkStoryNames(city, homeFile.path, ["featured"], featured)),
        ...(await checkStoryNames(city, homeFile.path, ["community"], community)),
        ...checkNames(homeFile.path, ["events"], events, folder, city.names(eventsFolder)),
      ];
    },
  ],
};

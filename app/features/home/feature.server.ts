import type { City, CrossFileProblem } from "../../platform/city.ts";
import type { Feature } from "../../platform/feature.ts";
import { checkNames } from "../../site-files/check-names.ts";
import { eventsFolder } from "../events/files.server.ts";
import { checkStoryNames, explainHidden } from "../stories/check.server.ts";
import { type Home, homeFile } from "./files.server.ts";

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
        ...(await noteHidden(city, content)),
        ...checkNames(homeFile.path, ["events"], events, folder, city.names(eventsFolder)),
      ];
    },
  ],
};

/** Notes stories that the front page leaves out as long as readers do not see them. */
async function noteHidden(city: City, home: Home): Promise<CrossFileProblem[]> {
  const explain = await explainHidden(city);
  return (["featured", "community"] as const).flatMap((field) =>
    home[field].flatMap((name, index) => {
      const reason = explain(name);
      const message = `names ${name}, which ${reason}, so the front page does not show it`;
      return reason === null
        ? []
        : [{ file: homeFile.path, at: [field, index], field, message, isNote: true }];
    }),
  );
}

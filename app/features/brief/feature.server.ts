import type { Feature } from "../../platform/feature.ts";
import { briefFile } from "./files.server.ts";
import { deleteOldBriefs, makeDueBrief } from "./make.server.ts";
import { briefArchivePath, briefDayPath, briefPath } from "./model.ts";
import { listBriefDays, storedBriefs } from "./read.server.ts";

export const brief: Feature = {
  name: "brief",
  files: [briefFile],
  launch(site) {
    if (site.read(briefFile).facts.length > 0) return [];
    const message = "has no facts about the city.";
    const fix = "Add true facts; each brief shows one.";
    return [{ file: briefFile.path, at: ["facts"], message, fix, isOptional: true }];
  },
  sharedReads: () => [storedBriefs],
  jobs: [{ name: "brief", cron: "* * * * *", run: makeDueBrief }],
  // A server that was down in the morning makes the brief when it starts.
  onSiteChanged: makeDueBrief,
  retention: { briefs: deleteOldBriefs },
  // Search finds these pages, but not each brief, because briefs repeat headlines and stories that
  // search finds anyway.
  pages(site) {
    const { heading, intro, description } = site.read(briefFile);
    return {
      [briefPath]: {
        title: heading,
        summary: description,
        body: intro,
        aliases: ["Brief", "Today", "This morning"],
      },
      [briefArchivePath]: {
        title: `${heading}: earlier days`,
        summary: "All briefs of the past year, by month.",
        aliases: ["Earlier briefs", "Yesterday"],
      },
    };
  },
  sitemap: {
    async pages(services) {
      const days = await listBriefDays(services);
      return days.map(({ day, updatedAt }) => ({ path: briefDayPath(day), changedAt: updatedAt }));
    },
  },
};

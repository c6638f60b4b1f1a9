import type { Feature } from "../../platform/feature.ts";
import { noPage } from "../../platform/services.ts";
import { checkGoodToKnow, checkSectionLink, checkWidgets } from "./checks.server.ts";
import { feedsCommand } from "./command.server.ts";
import { goodToKnowFile, listActiveSources, sectionsFile } from "./files.server.ts";
import { readSourceHealth } from "./health/health.server.ts";
import { refreshFeeds, summarizeOutcomes } from "./import/refresh.server.ts";
import { lastFetches, readHeadlineList } from "./listing/content.server.ts";
import { newestItems } from "./listing/select.server.ts";
import { localSection } from "./model.ts";

export { findFeed, toSourceName } from "./check-feed.server.ts";

const noSource = {
  file: sectionsFile.path,
  at: ["sections"],
  message: "has no source of headlines.",
  fix: "Run ./newsroom feeds add https://… --section local.",
};

/** Headlines from other newsrooms, the section pages that show them, and /news. */
export const feeds: Feature = {
  name: "feeds",
  commands: [feedsCommand],
  sources: {
    about: "headlines",
    health: ({ db, site }) => readSourceHealth(db, site.read(sectionsFile)),
    fix: "./newsroom feeds explain <source>",
  },
  files: [sectionsFile, goodToKnowFile],
  checks: [checkGoodToKnow, checkWidgets],
  launch: (site) => (listActiveSources(site.read(sectionsFile)).length > 0 ? [] : [noSource]),
  checkLink: checkSectionLink,
  pages: (site) =>
    Object.fromEntries(
      Object.entries(site.read(sectionsFile).sections).map(([id, section]) => {
        const { heading, intro, description } = section;
        const feedTexts = Object.values(section.feeds).flatMap((feed) => [
          feed.title,
          feed.description,
        ]);
        return [
          `/${id}`,
          { title: heading, summary: description, body: [intro, ...feedTexts].join(" ") },
        ];
      }),
    ),
  newsletter: {
    section: "headlines",
    async gather(services) {
      const section = await readHeadlineList({ ...services, ...noPage }, localSection);
      return (section?.headlines ?? []).map(({ title, link, source, paywall }) => ({
        title,
        link,
        line: [source, paywall && "subscribers only"].filter(Boolean).join(" · "),
      }));
    },
    more: { label: "All local headlines", path: `/${localSection}` },
  },
  jobs: [
    {
      name: "feeds",
      cron: "* * * * *",
      async run(services) {
        const summary = summarizeOutcomes(await refreshFeeds(services));
        if (summary) services.log.info("feeds.refreshed", summary);
      },
    },
  ],
  sharedReads: ({ site }) => [
    lastFetches,
    ...listActiveSources(site.read(sectionsFile)).map(({ id }) => newestItems(id)),
  ],
};

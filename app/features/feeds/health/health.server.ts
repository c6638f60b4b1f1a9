import { inArray } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import {
  type Cause,
  causeTexts,
  type SourceHealth,
  sourceMetrics,
} from "../../../lib/external/source-visits.server.ts";
import type { MetricGroup } from "../../../lib/metrics.ts";
import type { Services } from "../../../platform/services.ts";
import { activeSources, type Sections, sectionsFile } from "../files.server.ts";
import { feedSources } from "../schema.server.ts";

export async function sourceHealth(db: Database, sections: Sections): Promise<SourceHealth[]> {
  const sources = activeSources(sections);
  const ids = sources.map(({ id }) => id);
  const rows =
    ids.length === 0 ? [] : await db.select().from(feedSources).where(inArray(feedSources.id, ids));
  const states = new Map(rows.map((row) => [row.id, row]));
  return sources.map(({ id, name }) => {
    const state = states.get(id);
    const key = isCause(state?.cause) ? state.cause : null;
    return {
      id,
      name,
      sections: findSections(sections, name),
      state: !state?.checkedAt ? "not-asked-yet" : key ? "failing" : "good",
      cause: key && `${causeTexts[key]}${state?.detail ? ` (${state.detail})` : ""}`,
      causeKey: key,
      lastSuccess: state?.lastSuccessAt ?? null,
      lastTry: state?.checkedAt ?? null,
      nextTry: state?.nextAttemptAt ?? null,
      items: state?.items ?? 0,
    };
  });
}

export const feedMetrics = ({
  db,
  site,
  clock,
}: Pick<Services, "db" | "site" | "clock">): MetricGroup => ({
  name: "feeds",
  read: async () => sourceMetrics("feed", await sourceHealth(db, site.read(sectionsFile)), clock()),
});

const isCause = (key: string | null | undefined): key is Cause => key != null && key in causeTexts;

const findSections = ({ sections }: Sections, source: string) =>
  Object.entries(sections)
    .filter(([, { feeds }]) =>
      Object.values(feeds).some(({ sources }) => sources.some(({ name }) => name === source)),
    )
    .map(([id]) => id);

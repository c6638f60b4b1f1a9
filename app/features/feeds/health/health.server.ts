import { inArray } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { type SourceHealth, toSourceHealth } from "../../../lib/external/source-visits.server.ts";
import { listActiveSources, type Sections } from "../files.server.ts";
import { feedSources } from "../schema.server.ts";

/** Returns the state of every source that we fetch, even if it was never fetched yet. */
export async function readSourceHealth(db: Database, sections: Sections): Promise<SourceHealth[]> {
  const sources = listActiveSources(sections);
  const ids = sources.map(({ id }) => id);
  const rows =
    ids.length === 0 ? [] : await db.select().from(feedSources).where(inArray(feedSources.id, ids));
  const rowsById = new Map(rows.map((each) => [each.id, each]));
  return sources.map(({ id, name }) =>
    toSourceHealth({ id, name, sections: findSections(sections, name) }, rowsById.get(id)),
  );
}

const findSections = ({ sections }: Sections, source: string) =>
  Object.entries(sections)
    .filter(([, { feeds }]) =>
      Object.values(feeds).some(({ sources }) => sources.some(({ name }) => name === source)),
    )
    .map(([id]) => id);

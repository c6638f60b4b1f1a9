import type { Cause, SourceHealth } from "../../../lib/external/source-visits.server.ts";
import type { Sections } from "../files.server.ts";
import { formatTime } from "../listing/select.server.ts";
import type { SourceRow } from "../pages/status-page.tsx";

/** What went wrong, for readers. The codes are in status.json, for programs. */
const problemTexts: Record<Cause, string> = {
  blocked: "It does not let us in.",
  gone: "Its list of stories is no longer there.",
  moved: "It keeps sending us from one address to another.",
  "not-readable": "We could not read its answer.",
  empty: "Its answer was empty.",
  timeout: "It took too long to answer.",
  "too-large": "Its answer was too large.",
  tls: "Its connection is not secure.",
  dns: "We could not find its server.",
  busy: "It asked us to come back later.",
  broken: "Its server has a problem.",
  unreachable: "We could not reach its server.",
  "not-allowed": "Its address is not a public one.",
  "too-slow-to-read": "Its answer takes us too long to read.",
  "too-big-to-read": "Its answer needs too much memory to read.",
};

/** Events are a page of the site, but no section of headlines. */
const otherSections: Record<string, string> = { events: "Events" };

export const statusRows = (
  health: SourceHealth[],
  { sections }: Sections,
  timeZone: string,
): SourceRow[] =>
  health.map(({ id, name, sections: ids, state, causeKey, lastSuccess }) => ({
    id,
    name,
    state,
    sections: ids
      .map((section) => sections[section]?.heading ?? otherSections[section] ?? section)
      .join(", "),
    lastSuccess: lastSuccess && formatTime(lastSuccess, timeZone, true).shown,
    problem: causeKey && problemTexts[causeKey],
  }));

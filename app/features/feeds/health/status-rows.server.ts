import { causeTexts, type SourceHealth } from "../../../lib/external/source-visits.server.ts";
import type { Sections } from "../files.server.ts";
import { formatTime } from "../listing/select.server.ts";
import type { SourceRow } from "../pages/status-page.tsx";

/** Pages that are not sections of headlines. */
const otherSections: Record<string, string> = {
  alerts: "Alerts",
  events: "Events",
  meetings: "Public meetings",
  weather: "Weather",
};

export const toStatusRows = (
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
    lastSuccess: lastSuccess && formatTime(lastSuccess, timeZone, { withYear: true }).shown,
    // In status.json, programs find the cause itself, such as `blocked`.
    problem: causeKey && `It ${causeTexts[causeKey]}.`,
  }));

import type { Cause, SourceHealth } from "../../../lib/external/source-visits.server.ts";
import type { Sections } from "../files.server.ts";
import { formatTime } from "../listing/select.server.ts";
import type { SourceRow } from "../pages/status-page.tsx";

/**
 * What went wrong, in sentences for readers. In status.json, programs find the cause itself, such
 * as `blocked`.
 */
const problemTexts: Record<Cause, string> = {
  blocked: "It refuses our requests.",
  gone: "What we fetch from it no longer exists.",
  moved: "It redirects us in a loop.",
  "not-readable": "We could not read what it sent.",
  empty: "What it sent was empty.",
  timeout: "It took too long to respond.",
  "too-large": "What it sent was too large.",
  tls: "We could not make a secure connection.",
  dns: "We could not find its server.",
  busy: "It asked us to try again later.",
  broken: "Its server reported an error.",
  unreachable: "We could not reach its server.",
  "not-allowed": "Its URL is not public.",
  "too-slow-to-read": "What it sent takes too long to read.",
  "too-big-to-read": "What it sent needs too much memory to read.",
  stale: "What it sent is too old to show.",
};

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
    problem: causeKey && problemTexts[causeKey],
  }));

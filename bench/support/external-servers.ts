import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { createFeedText } from "./feed-texts.ts";
import {
  type Calendar,
  createHostileCalendars,
  createHostileFeed,
  harmlessFeed,
} from "./hostile-documents.ts";

export type ExternalServers = {
  port: number;
  /**
   * Until this is true, the hostile feed is an ordinary one, and requests for calendars get no
   * response.
   */
  isHostile: boolean;
  calendars: Calendar[];
  /** The calendars that have been requested so far. */
  requestedCalendars: Set<string>;
  close(): void;
};

/**
 * Starts a stand-in for all external servers, on all IP addresses of this machine: newspapers
 * without news, a thousand feeds with many items, a hostile feed, and hostile calendars.
 */
export async function startExternalServers(): Promise<ExternalServers> {
  const feedTexts = new Map<number, string>();
  let turn = 0;
  const server = createServer(async (request, response) => {
    const [, kind = "", name = ""] = (request.url ?? "").split("/");
    if (kind === "quiet") response.end(harmlessFeed);
    else if (kind === "feed") {
      const number = Number(name);
      const text = feedTexts.get(number) ?? createFeedText(number);
      feedTexts.set(number, text);
      response.end(text);
    } else if (kind === "hostile") {
      turn += 1;
      response.end(servers.isHostile ? createHostileFeed(turn) : harmlessFeed);
    } else {
      const calendar = servers.calendars.find((each) => each.name === name);
      if (!calendar) return response.writeHead(404).end();
      servers.requestedCalendars.add(name);
      while (!servers.isHostile) await pause(20);
      if (calendar.gzip) response.setHeader("Content-Encoding", "gzip");
      response.end(calendar.body);
    }
  }).listen(0, "0.0.0.0");
  await once(server, "listening");
  const address = server.address();
  const servers: ExternalServers = {
    port: typeof address === "object" && address !== null ? address.port : 0,
    isHostile: false,
    calendars: createHostileCalendars(),
    requestedCalendars: new Set(),
    close() {
      // Respond to the requests that are still waiting for a calendar.
      servers.isHostile = true;
      server.closeAllConnections();
      server.close();
    },
  };
  return servers;
}

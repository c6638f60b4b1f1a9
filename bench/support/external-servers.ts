import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { feedText } from "./feed-texts.ts";
import { type Calendar, harmlessFeed, hostileCalendars, hostileFeed } from "./hostile-documents.ts";

export type OutsideWorld = {
  port: number;
  /**
   * Before, the hostile feed is like any other, and calendars that are asked for are not answered.
   */
  isArmed: boolean;
  calendars: Calendar[];
  /** Which calendars were asked for so far. */
  askedCalendars: Set<string>;
  close(): void;
};

/**
 * Everybody else's servers: newspapers with nothing new, a thousand with much, a hostile feed, and
 * hostile calendars, on all addresses of this machine.
 */
export async function startOutsideWorld(): Promise<OutsideWorld> {
  const texts = new Map<number, string>();
  let turn = 0;
  const server = createServer(async (request, response) => {
    const [, kind = "", name = ""] = (request.url ?? "").split("/");
    if (kind === "quiet") response.end(harmlessFeed);
    else if (kind === "feed") {
      const number = Number(name);
      const text = texts.get(number) ?? feedText(number);
      texts.set(number, text);
      response.end(text);
    } else if (kind === "hostile") {
      turn += 1;
      response.end(world.isArmed ? hostileFeed(turn) : harmlessFeed);
    } else {
      const calendar = world.calendars.find((each) => each.name === name);
      if (!calendar) return response.writeHead(404).end();
      world.askedCalendars.add(name);
      while (!world.isArmed) await pause(20);
      if (calendar.gzip) response.setHeader("Content-Encoding", "gzip");
      response.end(calendar.body);
    }
  }).listen(0, "0.0.0.0");
  await once(server, "listening");
  const address = server.address();
  const world: OutsideWorld = {
    port: typeof address === "object" && address !== null ? address.port : 0,
    isArmed: false,
    calendars: hostileCalendars(),
    askedCalendars: new Set(),
    close() {
      // Whoever still waits for a calendar waits no longer.
      world.isArmed = true;
      server.closeAllConnections();
      server.close();
    },
  };
  return world;
}

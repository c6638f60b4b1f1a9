import { once } from "node:events";
import { createServer } from "node:http";
import { feedText } from "./feed-texts.ts";
import { type Calendar, harmlessFeed, hostileCalendars, hostileFeed } from "./hostile-documents.ts";

export type OutsideWorld = {
  port: number;
  /** From now on the hostile feed is hostile; before, it is like any other. */
  isArmed: boolean;
  calendars: Calendar[];
  /** Which calendars were asked for so far. */
  askedCalendars: Set<string>;
  /** Called when the first calendar is asked for, before it is answered. */
  onFirstCalendar: () => void;
  close(): void;
};

/** So that whoever measures has begun when the first calendar arrives. */
const beforeFirstCalendarMs = 300;

/** Everybody else's servers: newspapers with nothing new, a thousand with much, a hostile feed, and hostile calendars, on all addresses of this machine. */
export async function startOutsideWorld(): Promise<OutsideWorld> {
  const texts = new Map<number, string>();
  let turn = 0;
  const server = createServer((request, response) => {
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
      const isFirst = world.askedCalendars.size === 0;
      world.askedCalendars.add(name);
      if (isFirst) world.onFirstCalendar();
      if (calendar.gzip) response.setHeader("Content-Encoding", "gzip");
      setTimeout(() => response.end(calendar.body), isFirst ? beforeFirstCalendarMs : 0);
    }
  }).listen(0, "0.0.0.0");
  await once(server, "listening");
  const address = server.address();
  const world: OutsideWorld = {
    port: typeof address === "object" && address !== null ? address.port : 0,
    isArmed: false,
    calendars: hostileCalendars(),
    askedCalendars: new Set(),
    onFirstCalendar() {},
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return world;
}

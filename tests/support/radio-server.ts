import { once } from "node:events";
import { createLog, type Log } from "../../app/lib/log.ts";
import { createHttpServer } from "../../server/http/http.ts";
import { createRadio } from "../../server/radio/radio.ts";
import { serveRadio } from "../../server/radio/serve-radio.ts";
import type { Source } from "../../server/radio/source.ts";
import { createUpstream } from "../../server/radio/upstream.ts";
import type { RadioSettings } from "../../server/site/config.ts";
import { wholeCity } from "./whole-city.ts";

/** Longer than any test takes. */
const neverMs = 24 * 60 * 60 * 1000;
const defaultSettings = {
  maxListeners: 100,
  maxPerVisitor: 100,
  holdMs: neverMs,
  idleMs: neverMs,
};
/** Sizes as in the server, but listeners get new audio at once. */
const broadcastOptions = {
  burstBytes: 64 * 1024,
  bufferBytes: 512 * 1024,
  roundMs: 20,
  groupCount: 2,
};

/**
 * Serves a radio station with the server's real HTTP code, but without pages and without a
 * database.
 */
export async function serveStation(
  createSource: (log: Log) => Source,
  settings: Partial<RadioSettings> = {},
) {
  let logText = "";
  const log = createLog({
    write(line) {
      logText += line;
    },
  });
  const radio = createRadio(
    createSource(log),
    { ...defaultSettings, ...settings },
    log,
    broadcastOptions,
  );
  const handleRequest = () => new Response("There are no pages here.\n", { status: 404 });
  const server = createHttpServer({
    log,
    handleRequest,
    handleStream: serveRadio(radio, wholeCity),
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no free port was found");
  return {
    url: `http://127.0.0.1:${address.port}`,
    log: () => logText,
    readPlayed: radio.readPlayed,
    async close() {
      radio.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Serves a relayed station, to which the relay reconnects at once. */
export const serveRelay = (upstream: string, settings: Partial<RadioSettings> = {}) =>
  serveStation(
    (log) =>
      createUpstream(
        { url: new URL(upstream), log },
        { silenceTimeoutMs: neverMs, firstRetryMs: 10 },
      ),
    settings,
  );

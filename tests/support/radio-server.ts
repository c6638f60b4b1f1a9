import { once } from "node:events";
import { createLog } from "../../app/lib/log.ts";
import { createHttpServer } from "../../server/http/http.ts";
import { createRadio } from "../../server/radio/radio.ts";
import { serveRadio } from "../../server/radio/serve-radio.ts";
import { createUpstream } from "../../server/radio/upstream.ts";
import { noProxies } from "../../server/site/proxies.ts";
import type { RadioSettings } from "../../server/site/radio-settings.ts";

/**
 * Serves a relayed radio station with the server's real HTTP code, but without pages and without a
 * database.
 */
export async function serveRelay(upstream: string, settings: Partial<RadioSettings> = {}) {
  let logText = "";
  const log = createLog({
    write(line) {
      logText += line;
    },
  });
  const defaults = { maxListeners: 100, maxPerVisitor: 100, holdMs: 5_000, idleMs: 30_000 };
  const source = createUpstream({ url: new URL(upstream), log });
  const radio = createRadio(source, { ...defaults, ...settings }, log);
  const fetch = () => new Response("There are no pages here.\n", { status: 404 });
  const server = createHttpServer({
    log,
    fetch,
    handleRadio: serveRadio(radio, noProxies),
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

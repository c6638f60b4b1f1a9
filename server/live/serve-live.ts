import type { IncomingMessage, ServerResponse } from "node:http";
import { findLiveVersion, liveLimit, livePath } from "../../app/features/stories/feature.server.ts";
import { coalesce } from "../../app/lib/coalesce.server.ts";
import { createConcurrencyLimit, createRateLimit } from "../../app/lib/http/limits.server.ts";
import { errorFields } from "../../app/lib/log.ts";
import type { Services } from "../../app/platform/services.ts";
import { cacheTags, isPurged } from "../../app/platform/tags.ts";
import { noStore, requestIdHeader, safetyHeaders } from "../http/headers.ts";
import type { RequestInfo } from "../http/http.ts";

/** Proxies close a connection on which nothing was sent for a minute. */
const heartbeatMs = 20_000;
/** A reader whose connection does not take this many bytes is disconnected. */
const maxUnsentBytes = 16 * 1024;
const retrySeconds = 30;

type Listeners = { version: string; responses: Set<ServerResponse> };

/**
 * The streams (server-sent events) of live stories. A stream says only which version of the story
 * is the newest: readers then load the page's data again, from the page cache. Like the radio, it
 * is served on Node's own response, because it has no end.
 */
export function openLiveStories(
  services: Pick<Services, "site" | "db" | "clock" | "log">,
  limit = liveLimit,
) {
  const slots = createConcurrencyLimit(limit.concurrent);
  const requests = createRateLimit(limit.rate);
  const stories = new Map<string, Listeners>();
  /** How many changes there were so far, to notice a change during a query. */
  let changeCount = 0;

  function send(response: ServerResponse, text: string): void {
    if (response.writableLength > maxUnsentBytes) response.destroy();
    else response.write(text);
  }
  const toEvent = (version: string) => `event: version\ndata: ${version}\n\n`;

  const heartbeat = setInterval(() => {
    for (const { responses } of stories.values())
      for (const response of responses) send(response, ":\n\n");
  }, heartbeatMs);
  heartbeat.unref();

  /**
   * Repeats the query if there was a change meanwhile, because this reader is not a listener yet
   * and would not hear of the change.
   */
  async function findCurrentVersion(story: string): Promise<string | null> {
    const count = changeCount;
    const version = await findLiveVersion(services, story);
    return count === changeCount ? version : findCurrentVersion(story);
  }

  async function tellListeners(): Promise<void> {
    for (const [story, listeners] of stories) {
      const version = await findLiveVersion(services, story);
      if (version === listeners.version) continue;
      // Nothing can be written to a response that has ended, even if it has not been sent yet.
      if (version === null) stories.delete(story);
      // The page of a story that is over still has to be loaded once more.
      listeners.version = version ?? "over";
      for (const response of listeners.responses) {
        send(response, toEvent(listeners.version));
        if (version === null) response.end();
      }
    }
  }
  // One run at a time: otherwise an older version could be sent after a newer one.
  const changes = coalesce(0, () =>
    tellListeners().catch((error: unknown) =>
      services.log.error("live.not_refreshed", errorFields(error)),
    ),
  );

  function refresh(): void {
    changeCount += 1;
    changes.request();
  }

  async function open(
    request: IncomingMessage,
    response: ServerResponse,
    story: string,
    { id, ipAddress }: RequestInfo,
  ) {
    const respond = (status: number, text: string) => {
      response.writeHead(status, {
        ...safetyHeaders,
        "Cache-Control": noStore,
        "Content-Type": "text/plain; charset=utf-8",
        ...(status === 404 ? {} : { "Retry-After": retrySeconds }),
        [requestIdHeader]: id,
      });
      response.end(`${text}\n`);
    };
    if (requests.countRequest(ipAddress) > 0) return respond(429, limit.messages.visitor);
    const isFull = slots.isFull();
    const release = slots.takeSlot(ipAddress);
    if (!release)
      return respond(isFull ? 503 : 429, isFull ? limit.messages.all : limit.messages.visitor);
    response.once("close", release);
    const version = await findCurrentVersion(story);
    if (response.destroyed) return;
    if (version === null) return respond(404, "There is no such live story.");
    response.writeHead(200, {
      ...safetyHeaders,
      "Cache-Control": noStore,
      "Content-Type": "text/event-stream; charset=utf-8",
      "X-Accel-Buffering": "no",
      [requestIdHeader]: id,
    });
    if (request.method === "HEAD") return response.end();
    const listeners = stories.get(story) ?? { version, responses: new Set() };
    stories.set(story, listeners);
    listeners.responses.add(response);
    response.once("close", () => {
      listeners.responses.delete(response);
      if (listeners.responses.size === 0 && stories.get(story) === listeners) stories.delete(story);
    });
    send(response, toEvent(version));
  }

  return {
    /** Handles a request for a stream. Returns false for every other path. */
    handle(request: IncomingMessage, response: ServerResponse, info: RequestInfo): boolean {
      const [path = ""] = (request.url ?? "").split("?", 1);
      const [, story] = /^\/api\/live\/([\w.-]{1,200})$/.exec(path) ?? [];
      const isRead = request.method === "GET" || request.method === "HEAD";
      if (story === undefined || !isRead || path !== livePath(story)) return false;
      open(request, response, story, info).catch((error: unknown) => {
        services.log.error("live.failed", { story, ...errorFields(error) });
        response.destroy();
      });
      return true;
    },

    /**
     * Tells the readers of live stories about new versions. Call it when a story may have changed.
     */
    refresh,

    /** Call this when the content behind these cache tags has changed. */
    onPurged(tags: readonly string[]): void {
      if (isPurged(tags, cacheTags.stories)) refresh();
    },

    close(): void {
      clearInterval(heartbeat);
      void changes.stop();
      for (const { responses } of stories.values())
        for (const response of responses) response.end();
    },
  };
}

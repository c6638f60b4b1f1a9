import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { createConcurrencyLimit } from "../../app/lib/http/limits.server.ts";
import type { Log } from "../../app/lib/log.ts";
import { gauge, type MetricGroup } from "../../app/lib/metrics.ts";
import type { Services } from "../../app/platform/services.ts";
import type { Config, RadioSettings } from "../site/config.ts";
import { type BroadcastOptions, createBroadcast } from "./broadcast.ts";
import type { AudioOutput, Source } from "./source.ts";
import { createStation } from "./station.ts";
import { createUpstream } from "./upstream.ts";

type Admission =
  | { kind: "on-air"; mediaType: string }
  | { kind: "full" }
  | { kind: "visitor-full" }
  | { kind: "off-air" };

export type Radio = ReturnType<typeof createRadio>;

/**
 * Connects one source with many listeners. The source runs only while there are listeners. When it
 * fails, its listeners wait in silence for a few seconds. After that the radio disconnects them and
 * tells new listeners that it is off the air, until there is audio again.
 */
export function createRadio(
  source: Source,
  settings: RadioSettings,
  log: Log,
  options?: BroadcastOptions,
) {
  const broadcast = createBroadcast(() => log.info("radio.slow_listener_dropped"), options);
  const waitingListeners = new Set<() => void>();
  const slots = createConcurrencyLimit({
    visitor: settings.maxPerVisitor,
    all: settings.maxListeners,
  });
  let runningSource: { stop(): void } | null = null;
  let state: "starting" | "on-air" | "lost" | "off-air" = "starting";
  let mediaType = "audio/mpeg";
  let title: string | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let holdTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const output: AudioOutput = {
    play(bytes, type) {
      // A stream cannot change its media type, so the listeners have to reconnect.
      if (type !== mediaType && broadcast.hasAudio) {
        broadcast.disconnectAll();
        broadcast.clear();
      }
      mediaType = type;
      broadcast.play(bytes);
      if (state === "on-air") return;
      clearTimeout(holdTimer);
      state = "on-air";
      log.info("radio.on_air", { mediaType });
      releaseWaiting();
    },
    setTitle(text) {
      title = text;
    },
    reportLost() {
      if (state === "starting" || state === "on-air") {
        if (state === "on-air") startHold();
        state = "lost";
      }
    },
  };

  /** Lets listeners wait for audio for a few seconds before the radio gives up. */
  function startHold(): void {
    clearTimeout(holdTimer);
    holdTimer = setTimeout(giveUp, settings.holdMs);
  }

  function giveUp(): void {
    state = "off-air";
    title = null;
    log.warn("radio.off_air", { listeners: broadcast.listenerCount });
    broadcast.disconnectAll();
    broadcast.clear();
    releaseWaiting();
    scheduleSleep();
  }

  function releaseWaiting(): void {
    for (const proceed of [...waitingListeners]) proceed();
  }

  function waitUntilSettled(response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const proceed = () => {
        waitingListeners.delete(proceed);
        resolve();
      };
      waitingListeners.add(proceed);
      response.once("close", proceed);
    });
  }

  function wake(): void {
    clearTimeout(idleTimer);
    idleTimer = undefined;
    if (runningSource) return;
    state = "starting";
    startHold();
    runningSource = source.start(output);
  }

  /** Stops the source some time after the last listener has left. */
  function scheduleSleep(): void {
    if (broadcast.listenerCount + waitingListeners.size > 0) return;
    clearTimeout(idleTimer);
    idleTimer = setTimeout(sleep, settings.idleMs);
  }

  function sleep(): void {
    clearTimeout(holdTimer);
    runningSource?.stop();
    runningSource = null;
    title = null;
    broadcast.clear();
  }

  return {
    get listenerCount() {
      return broadcast.listenerCount;
    },
    get title() {
      return title;
    },
    readPlayed: () => source.readPlayed(),
    get isOffAir() {
      return runningSource !== null && state === "off-air";
    },

    /** Resolves when it is known whether there is audio, or when the listener has disconnected. */
    async admit(response: ServerResponse, ipAddress: string): Promise<Admission> {
      if (isClosed) return { kind: "off-air" };
      if (slots.isFull()) return { kind: "full" };
      const release = slots.takeSlot(ipAddress);
      if (!release) return { kind: "visitor-full" };
      response.once("close", release);
      wake();
      if (state === "starting" || state === "lost") await waitUntilSettled(response);
      if (state === "on-air" && !response.destroyed) return { kind: "on-air", mediaType };
      scheduleSleep();
      return { kind: "off-air" };
    },
    join(response: ServerResponse): void {
      // A listener may disconnect in the middle of a write; `close` follows in any case.
      response.on("error", () => {});
      response.once("close", () => {
        broadcast.leave(response);
        scheduleSleep();
      });
      broadcast.join(response);
    },
    /** Ends every stream, so that players can reconnect to another node at once. */
    close(): void {
      isClosed = true;
      state = "off-air";
      broadcast.disconnectAll();
      releaseWaiting();
      clearTimeout(idleTimer);
      sleep();
      source.close();
    },
  };
}

/**
 * Opens the city's radio as configured: a relayed Icecast or SHOUTcast station, or our own station
 * with the MP3 files of the city folder.
 */
export function openRadio(
  { siteFolder, radio }: Config,
  { log, site }: Pick<Services, "log" | "site">,
): Radio {
  const { upstream, ...settings } = radio;
  const source = upstream
    ? createUpstream({ url: upstream, log })
    : createStation({
        folder: join(siteFolder, "radio"),
        log,
        isNeeded: () => site.hasPage("/radio"),
      });
  return createRadio(source, settings, log);
}

export const radioMetrics = (radio: Radio, { maxListeners }: RadioSettings): MetricGroup => ({
  name: "radio",
  read: () => [
    gauge("harborline_radio_listeners", "Listeners of the radio.", radio.listenerCount),
    gauge("harborline_radio_max_listeners", "Maximum number of listeners.", maxListeners),
    gauge(
      "harborline_radio_off_air",
      "1 while there are listeners but the source provides no audio.",
      radio.isOffAir ? 1 : 0,
    ),
  ],
});

import type { ServerResponse } from "node:http";
import { createConcurrencyLimit } from "../../app/lib/http/visitors.server.ts";
import type { Log } from "../../app/lib/log.ts";
import { gauge, type MetricGroup } from "../../app/lib/metrics.ts";
import type { RadioSettings } from "../site/radio-settings.ts";
import { type BroadcastOptions, createBroadcast } from "./broadcast.ts";
import type { Air, Source } from "./source.ts";

/** What came of somebody's wish to listen. */
type Admission =
  | { kind: "on-air"; mediaType: string }
  | { kind: "full" }
  | { kind: "visitor-full" }
  | { kind: "off-air" };

export type Radio = ReturnType<typeof createRadio>;

/**
 * One source, many listeners. The source runs only while somebody listens. When it fails, those who
 * are there wait in silence for a few seconds; after that they are sent away, and who comes is told
 * so, until there is sound again.
 */
export function createRadio(
  source: Source,
  settings: RadioSettings,
  log: Log,
  reach?: BroadcastOptions,
) {
  const broadcast = createBroadcast(() => log.info("radio.slow_listener_dropped"), reach);
  const waiting = new Set<() => void>();
  const places = createConcurrencyLimit(settings.maxPerVisitor);
  let running: { stop(): void } | null = null;
  let state: "starting" | "on-air" | "lost" | "off-air" = "starting";
  let mediaType = "audio/mpeg";
  let title: string | null = null;
  let idle: NodeJS.Timeout | undefined;
  let hold: NodeJS.Timeout | undefined;
  let closed = false;

  const air: Air = {
    play(bytes, type) {
      // Sound of another kind cannot follow on: whoever listens has to begin anew.
      if (type !== mediaType && broadcast.hasSound) {
        broadcast.sendAway();
        broadcast.forget();
      }
      mediaType = type;
      broadcast.play(bytes);
      if (state === "on-air") return;
      clearTimeout(hold);
      state = "on-air";
      log.info("radio.on_air", { mediaType });
      releaseWaiting();
    },
    title(text) {
      title = text;
    },
    lost() {
      if (state === "starting" || state === "on-air") {
        if (state === "on-air") startHold();
        state = "lost";
      }
    },
  };

  function startHold(): void {
    clearTimeout(hold);
    hold = setTimeout(giveUp, settings.holdMs);
  }

  function giveUp(): void {
    state = "off-air";
    title = null;
    log.warn("radio.off_air", { listeners: broadcast.listeners });
    broadcast.sendAway();
    broadcast.forget();
    releaseWaiting();
    scheduleSleep();
  }

  function releaseWaiting(): void {
    for (const proceed of [...waiting]) proceed();
  }

  function waitUntilSettled(response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const proceed = () => {
        waiting.delete(proceed);
        resolve();
      };
      waiting.add(proceed);
      response.once("close", proceed);
    });
  }

  function wake(): void {
    clearTimeout(idle);
    idle = undefined;
    if (running) return;
    state = "starting";
    startHold();
    running = source.start(air);
  }

  /** The source goes to sleep some time after it was last of use. */
  function scheduleSleep(): void {
    if (broadcast.listeners + waiting.size > 0) return;
    clearTimeout(idle);
    idle = setTimeout(sleep, settings.idleMs);
  }

  function sleep(): void {
    clearTimeout(hold);
    running?.stop();
    running = null;
    title = null;
    broadcast.forget();
  }

  return {
    get listeners() {
      return broadcast.listeners;
    },
    get title() {
      return title;
    },
    hasRoomFor: (address: string) => places.hasRoom(address),
    get isOffAir() {
      return running !== null && state === "off-air";
    },

    /** Answers when it is clear whether there is something to hear, or when the asker has left. */
    async admit(response: ServerResponse, address: string): Promise<Admission> {
      if (closed) return { kind: "off-air" };
      if (broadcast.listeners + waiting.size >= settings.maxListeners) return { kind: "full" };
      const leave = places.take(address);
      if (!leave) return { kind: "visitor-full" };
      response.once("close", leave);
      wake();
      if (state === "starting" || state === "lost") await waitUntilSettled(response);
      if (state === "on-air" && !response.destroyed) return { kind: "on-air", mediaType };
      scheduleSleep();
      return { kind: "off-air" };
    },
    join(response: ServerResponse): void {
      // A listener may leave in the middle of what we write; `close` follows in any case.
      response.on("error", () => {});
      response.once("close", () => {
        broadcast.leave(response);
        scheduleSleep();
      });
      broadcast.join(response);
    },
    /** Ends every stream, so that a listener's player can go on elsewhere at once. */
    close(): void {
      closed = true;
      state = "off-air";
      broadcast.sendAway();
      releaseWaiting();
      clearTimeout(idle);
      sleep();
      source.close();
    },
  };
}

export const radioMetrics = (radio: Radio, { maxListeners }: RadioSettings): MetricGroup => ({
  name: "radio",
  read: () => [
    gauge("harborline_radio_listeners", "Listeners of the radio.", radio.listeners),
    gauge("harborline_radio_max_listeners", "Listeners that are let in.", maxListeners),
    gauge(
      "harborline_radio_off_air",
      "1 while somebody wants to listen and there is no sound.",
      radio.isOffAir ? 1 : 0,
    ),
  ],
});

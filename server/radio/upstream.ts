import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { Log } from "../../app/lib/log.ts";
import { createFrameParser } from "./frames.ts";
import { createIcyReader } from "./icy.ts";
import { type AudioOutput, createTitleHistory, type Source } from "./source.ts";

const maxHeadBytes = 16 * 1024;
const maxRetryMs = 10_000;

type UpstreamTimes = {
  /** A station that sends nothing for this long is considered lost. */
  silenceTimeoutMs: number;
  /** How soon the relay reconnects. After each failure, it waits twice as long. */
  firstRetryMs: number;
};

const defaultTimes: UpstreamTimes = { silenceTimeoutMs: 8_000, firstRetryMs: 500 };

/**
 * Relays a station: Icecast, SHOUTcast or a server that is compatible with them. The relay uses one
 * connection and reconnects when it is lost.
 */
export function createUpstream(
  { url, log }: { url: URL; log: Log },
  { silenceTimeoutMs, firstRetryMs }: UpstreamTimes = defaultTimes,
): Source {
  const history = createTitleHistory(Date.now);
  return {
    close() {},
    readPlayed: async () => history.read(),
    start(listenersOutput) {
      const output: AudioOutput = {
        ...listenersOutput,
        setTitle(title) {
          history.add(title);
          listenersOutput.setTitle(title);
        },
      };
      let isStopped = false;
      let failures = 0;
      let timer: NodeJS.Timeout | undefined;
      let socket: Socket | undefined;

      const attempt = () => {
        let closeReason = "closed the connection";
        socket = connect(url, output, silenceTimeoutMs, {
          onConnected() {
            if (failures > 0) log.info("radio.upstream_back");
            failures = 0;
          },
          onFailed(reason) {
            closeReason = reason;
          },
        });
        socket.once("close", () => {
          if (isStopped) return;
          // The URL may contain a password, so only the host is logged.
          if (failures === 0)
            log.warn("radio.upstream_lost", { host: url.host, reason: closeReason });
          history.add(null);
          output.reportLost();
          timer = setTimeout(attempt, Math.min(firstRetryMs * 2 ** failures, maxRetryMs));
          failures += 1;
        });
      };
      attempt();
      return {
        stop() {
          isStopped = true;
          history.add(null);
          clearTimeout(timer);
          socket?.destroy();
        },
      };
    },
  };
}

type ConnectionEvents = { onConnected(): void; onFailed(reason: string): void };

/**
 * Connects to the station. It implements HTTP by hand, because the first line of SHOUTcast is "ICY
 * 200 OK", which no HTTP library accepts.
 */
function connect(
  url: URL,
  output: AudioOutput,
  silenceTimeoutMs: number,
  events: ConnectionEvents,
): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isSecure = url.protocol === "https:";
  const port = Number(url.port || (isSecure ? 443 : 80));
  const socket = isSecure
    ? connectSecure({ host, port, servername: host })
    : connectPlain({ host, port });
  let head = Buffer.alloc(0);
  let play: ((bytes: Buffer) => void) | null = null;

  socket.setTimeout(silenceTimeoutMs, () =>
    socket.destroy(new Error(`sent nothing for ${silenceTimeoutMs / 1_000} s`)),
  );
  socket.on("error", (error) => events.onFailed(error.message));
  socket.on("end", () => socket.destroy());
  socket.write(buildRequest(url));
  socket.on("data", (bytes: Buffer) => {
    if (play) {
      play(bytes);
      return;
    }
    head = Buffer.concat([head, bytes]);
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) {
      if (head.length > maxHeadBytes) socket.destroy(new Error("sent headers without an end"));
      return;
    }
    const response = readHead(head.toString("latin1", 0, end));
    if ("reason" in response) {
      socket.destroy(new Error(response.reason));
      return;
    }
    events.onConnected();
    play = createPlayer(response, output);
    play(head.subarray(end + 4));
  });
  return socket;
}

/** Builds an HTTP/1.0 request, so that the station does not send the audio in chunked encoding. */
function buildRequest({ hostname, host, pathname, search, username, password }: URL): string {
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const lines = [
    `GET ${pathname}${search} HTTP/1.0`,
    `Host: ${host || hostname}`,
    "User-Agent: Harborline",
    "Icy-MetaData: 1",
    ...(username ? [`Authorization: Basic ${Buffer.from(credentials).toString("base64")}`] : []),
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

type Head = { mediaType: string; metadataInterval: number };

function readHead(text: string): Head | { reason: string } {
  const [first = "", ...lines] = text.split("\r\n");
  const status = /^(?:HTTP\/1\.[01]|ICY) (\d{3})/.exec(first)?.[1];
  if (status !== "200") return { reason: `responded with "${first.slice(0, 80)}"` };
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const mediaType =
    (headers.get("content-type") ?? "audio/mpeg").split(";")[0]?.trim().toLowerCase() ?? "";
  // A listener cannot join an Ogg stream without its first pages, and a web page would be noise.
  if (!/^audio\/(mpeg|mp3|aac|aacp|x-aac)$/.test(mediaType))
    return { reason: `sends ${mediaType}; listeners can join only MP3 and AAC at any time` };
  if (headers.has("transfer-encoding")) return { reason: "uses chunked encoding" };
  const metadataInterval = Number(headers.get("icy-metaint") ?? 0);
  if (!Number.isSafeInteger(metadataInterval) || metadataInterval < 0)
    return { reason: "sends an invalid icy-metaint header" };
  return { mediaType: mediaType === "audio/mp3" ? "audio/mpeg" : mediaType, metadataInterval };
}

function createPlayer(
  { mediaType, metadataInterval }: Head,
  output: AudioOutput,
): (bytes: Buffer) => void {
  const removeMetadata = createIcyReader(metadataInterval, output.setTitle);
  const frameParser = createFrameParser();
  return (bytes) => {
    const audio = removeMetadata(bytes);
    const playableAudio =
      mediaType === "audio/mpeg"
        ? Buffer.concat(frameParser.read(audio).map((frame) => frame.bytes))
        : audio;
    if (playableAudio.length > 0) output.play(playableAudio, mediaType);
  };
}

import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { Log } from "../../app/lib/log.ts";
import { createFrameReader } from "./frames.ts";
import { createIcyReader } from "./icy.ts";
import type { Air, Source } from "./source.ts";

const maxHeadBytes = 16 * 1024;
/** A station that sends nothing for so long has gone without saying so. */
const silenceTimeoutMs = 8_000;
const firstRetryMs = 500;
const maxRetryMs = 10_000;

/**
 * A relayed station: Icecast, SHOUTcast or whatever speaks as they do. One connection, tried again
 * when it is lost.
 */
export function createUpstream({ address, log }: { address: URL; log: Log }): Source {
  return {
    close() {},
    start(air) {
      let stopped = false;
      let failures = 0;
      let timer: NodeJS.Timeout | undefined;
      let socket: Socket | undefined;

      const attempt = () => {
        let lastWords = "closed the connection";
        socket = connect(address, air, {
          heard() {
            if (failures > 0) log.info("radio.upstream_back");
            failures = 0;
          },
          refused(reason) {
            lastWords = reason;
          },
        });
        socket.once("close", () => {
          if (stopped) return;
          // The address may carry a password, so only the host is told.
          if (failures === 0)
            log.warn("radio.upstream_lost", { host: address.host, reason: lastWords });
          air.lost();
          timer = setTimeout(attempt, Math.min(firstRetryMs * 2 ** failures, maxRetryMs));
          failures += 1;
        });
      };
      attempt();
      return {
        stop() {
          stopped = true;
          clearTimeout(timer);
          socket?.destroy();
        },
      };
    },
  };
}

type Report = { heard(): void; refused(reason: string): void };

/** Speaks HTTP itself: SHOUTcast's first line is "ICY 200 OK", which no HTTP library takes. */
function connect(address: URL, air: Air, report: Report): Socket {
  const host = address.hostname.replace(/^\[|\]$/g, "");
  const isSecure = address.protocol === "https:";
  const port = Number(address.port || (isSecure ? 443 : 80));
  const socket = isSecure
    ? connectSecure({ host, port, servername: host })
    : connectPlain({ host, port });
  let head = Buffer.alloc(0);
  let play: ((bytes: Buffer) => void) | null = null;

  socket.setTimeout(silenceTimeoutMs, () =>
    socket.destroy(new Error(`sent nothing for ${silenceTimeoutMs / 1_000} s`)),
  );
  socket.on("error", (error) => report.refused(error.message));
  socket.on("end", () => socket.destroy());
  socket.write(buildRequest(address));
  socket.on("data", (bytes: Buffer) => {
    if (play) {
      play(bytes);
      return;
    }
    head = Buffer.concat([head, bytes]);
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) {
      if (head.length > maxHeadBytes) socket.destroy(new Error("answered with no end of headers"));
      return;
    }
    const answer = readHead(head.toString("latin1", 0, end));
    if ("reason" in answer) {
      socket.destroy(new Error(answer.reason));
      return;
    }
    report.heard();
    play = createPlayer(answer, air);
    play(head.subarray(end + 4));
  });
  return socket;
}

/** In HTTP/1.0, so that the sound comes as it is and not in counted chunks. */
function buildRequest({ hostname, host, pathname, search, username, password }: URL): string {
  const secret = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const lines = [
    `GET ${pathname}${search} HTTP/1.0`,
    `Host: ${host || hostname}`,
    "User-Agent: Harborline",
    "Icy-MetaData: 1",
    ...(username ? [`Authorization: Basic ${Buffer.from(secret).toString("base64")}`] : []),
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

type Head = { mediaType: string; noteInterval: number };

function readHead(text: string): Head | { reason: string } {
  const [first = "", ...lines] = text.split("\r\n");
  const status = /^(?:HTTP\/1\.[01]|ICY) (\d{3})/.exec(first)?.[1];
  if (status !== "200") return { reason: `answered "${first.slice(0, 80)}"` };
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const mediaType =
    (headers.get("content-type") ?? "audio/mpeg").split(";")[0]?.trim().toLowerCase() ?? "";
  // Ogg needs its first pages to make sense, and a web page would be noise.
  if (!/^audio\/(mpeg|mp3|aac|aacp|x-aac)$/.test(mediaType))
    return { reason: `sends ${mediaType}; only MP3 and AAC can be joined at any time` };
  if (headers.has("transfer-encoding")) return { reason: "answers in chunks" };
  const noteInterval = Number(headers.get("icy-metaint") ?? 0);
  if (!Number.isSafeInteger(noteInterval) || noteInterval < 0)
    return { reason: "names no usable icy-metaint" };
  return { mediaType: mediaType === "audio/mp3" ? "audio/mpeg" : mediaType, noteInterval };
}

function createPlayer({ mediaType, noteInterval }: Head, air: Air): (bytes: Buffer) => void {
  const withoutNotes = createIcyReader(noteInterval, air.title);
  const frames = createFrameReader();
  return (bytes) => {
    const sound = withoutNotes(bytes);
    const whole =
      mediaType === "audio/mpeg"
        ? Buffer.concat(frames.read(sound).map((frame) => frame.bytes))
        : sound;
    if (whole.length > 0) air.play(whole, mediaType);
  };
}

// The listeners of bench/radio.ts, in a separate process. All listeners join within a second, and
// each tracks its buffer like a player. Prints "here" when all have joined, and one line of JSON
// when the time is over.
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const [, , port = "", path = "", listenerCount = "", seconds = ""] = process.argv;
const joinPeriodMs = 1_000;
const bytesPerMs = 16;
/** A listener who receives no audio within this time counts as not served. */
const firstAudioTimeoutMs = 5_000;

type Listener = {
  bytes: number;
  joinedAt: number;
  firstAudioAt: number;
  starvedMs: number;
  isOver: boolean;
};

/** A real audience has many IP addresses, and the server limits the listeners of each. */
const listenersPerIpAddress = 10;
const ipAddress = (index: number) => {
  const number = Math.floor(index / listenersPerIpAddress);
  return `127.1.${number >> 8}.${number & 255}`;
};

function listen(index: number): Listener {
  const listener: Listener = {
    bytes: 0,
    joinedAt: performance.now(),
    firstAudioAt: 0,
    starvedMs: 0,
    isOver: false,
  };
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: ipAddress(index) });
  socket.write(`GET ${path} HTTP/1.0\r\nHost: localhost\r\n\r\n`);
  let isReadingHeaders = true;
  socket.on("data", (bytes) => {
    const now = performance.now();
    let length = bytes.length;
    if (isReadingHeaders) {
      const end = bytes.indexOf("\r\n\r\n");
      if (end === -1 || !/^HTTP\/1.\d 200/.test(bytes.toString("latin1", 0, 20))) return;
      isReadingHeaders = false;
      length -= end + 4;
    }
    if (length === 0) return;
    if (listener.firstAudioAt === 0) listener.firstAudioAt = now;
    // Audio must arrive before it is played. A player would pause until the missing part arrives.
    const missing =
      (now - listener.firstAudioAt - listener.starvedMs) * bytesPerMs - listener.bytes;
    if (missing > 0) listener.starvedMs += missing / bytesPerMs;
    listener.bytes += length;
  });
  const markOver = () => {
    listener.isOver = true;
  };
  socket.on("close", markOver);
  socket.on("error", markOver);
  return listener;
}

const listeners: Listener[] = [];
const began = performance.now();
while (listeners.length < Number(listenerCount)) {
  const due = Math.min(1, (performance.now() - began) / joinPeriodMs) * Number(listenerCount);
  while (listeners.length < due) listeners.push(listen(listeners.length));
  await pause(1);
}
console.log("here");
await pause(Number(seconds) * 1_000);
const withAudio = listeners.filter(
  ({ firstAudioAt: firstAt, joinedAt }) => firstAt > 0 && firstAt - joinedAt < firstAudioTimeoutMs,
);
const waits = withAudio
  .map(({ firstAudioAt: firstAt, joinedAt }) => firstAt - joinedAt)
  .sort((a, b) => a - b);
console.log(
  JSON.stringify({
    listeners: listeners.length,
    withAudio: withAudio.length,
    starved: withAudio.filter(({ starvedMs }) => starvedMs > 50).length,
    lost: withAudio.filter(({ isOver }) => isOver).length,
    p50Ms: waits[waits.length >> 1] ?? 0,
    p99Ms: waits[Math.floor(waits.length * 0.99)] ?? 0,
    megabytes: Math.round(listeners.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6),
  }),
);
process.exit(0);

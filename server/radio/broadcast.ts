export type ListenerConnection = {
  write(bytes: Buffer): boolean;
  readonly writableNeedDrain: boolean;
  end(): unknown;
  destroy(): unknown;
};
type Listener = { connection: ListenerConnection; nextOffset: number };
type Chunk = { offset: number; bytes: Buffer };

export type BroadcastOptions = {
  /** How much a new listener gets at once, so that playback starts without waiting. */
  burstBytes: number;
  /** The size of the buffer that all listeners share, and so how far a listener may fall behind. */
  bufferBytes: number;
  /** Every listener is served once in this time. */
  roundMs: number;
  /**
   * Listeners are served in this many groups, one after another, so that a page request in between
   * waits for one group only.
   */
  groupCount: number;
};

/** The sizes are Icecast's defaults: at 128 kbit/s, four seconds and half a minute of audio. */
const defaultOptions: BroadcastOptions = {
  burstBytes: 64 * 1024,
  bufferBytes: 512 * 1024,
  roundMs: 1_000,
  groupCount: 20,
};

/**
 * Sends the same audio to many listeners. One shared buffer holds the last half minute, and each
 * listener is only an offset in it. A listener who reads too slowly falls behind the start of the
 * buffer and is disconnected, without having slowed down other listeners or used extra memory.
 */
export function createBroadcast(onDropped: () => void, options: BroadcastOptions = defaultOptions) {
  const chunks: Chunk[] = [];
  /** The offset of the first byte in the buffer, and the offset after the last one. */
  let [begin, end] = [0, 0];
  const groups = Array.from({ length: options.groupCount }, () => new Set<Listener>());
  const connections = new Map<ListenerConnection, { listener: Listener; group: Set<Listener> }>();
  /** The bytes to send next, by offset. They are the same for all listeners at that offset. */
  const nextBytes = new Map<number, Buffer>();
  let currentGroup = 0;
  let timer: NodeJS.Timeout | undefined;

  function collectBytes(start: number): Buffer {
    const known = nextBytes.get(start);
    if (known) return known;
    const firstIndex = chunks.findIndex(({ offset }) => offset >= start);
    // A listener who has to catch up gets limited portions, because unsent bytes take memory.
    const endIndex = chunks.findIndex(
      ({ offset }, i) => i > firstIndex && offset >= start + 2 * options.burstBytes,
    );
    const parts = chunks
      .slice(firstIndex, endIndex === -1 ? undefined : endIndex)
      .map(({ bytes }) => bytes);
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    nextBytes.set(start, bytes);
    return bytes;
  }

  function serve(listener: Listener): void {
    const { connection } = listener;
    if (listener.nextOffset < begin) {
      leave(connection);
      onDropped();
      connection.destroy();
      return;
    }
    if (connection.writableNeedDrain || listener.nextOffset === end) return;
    const bytes = collectBytes(listener.nextOffset);
    listener.nextOffset += bytes.length;
    connection.write(bytes);
  }

  function serveNextGroup(): void {
    currentGroup = (currentGroup + 1) % groups.length;
    for (const listener of groups[currentGroup] ?? []) serve(listener);
  }

  function leave(connection: ListenerConnection): void {
    const known = connections.get(connection);
    known?.group.delete(known.listener);
    connections.delete(connection);
    if (connections.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    get listenerCount() {
      return connections.size;
    },
    /** Whether a new listener would hear something at once. */
    get hasAudio() {
      return end > begin;
    },

    /** Adds complete frames, so that a new listener can start at any chunk. */
    play(bytes: Buffer): void {
      if (bytes.length === 0) return;
      chunks.push({ offset: end, bytes });
      end += bytes.length;
      nextBytes.clear();
      while (end - begin > options.bufferBytes && chunks.length > 1)
        begin += chunks.shift()?.bytes.length ?? 0;
    },

    join(connection: ListenerConnection): void {
      const start =
        chunks.findLast(({ offset }) => offset <= end - options.burstBytes) ?? chunks[0];
      const smallest = groups.reduce((one, other) => (other.size < one.size ? other : one));
      const listener = { connection, nextOffset: start?.offset ?? end };
      smallest.add(listener);
      connections.set(connection, { listener, group: smallest });
      serve(listener);
      timer ??= setInterval(serveNextGroup, options.roundMs / options.groupCount);
    },
    leave,

    /** Drops all audio, so that later listeners do not hear what was played before. */
    clear(): void {
      chunks.length = 0;
      begin = end;
      nextBytes.clear();
    },

    disconnectAll(): void {
      for (const connection of [...connections.keys()]) {
        leave(connection);
        connection.end();
      }
    },
  };
}

/** Whom we send to: the answer to a listener's request. */
export type ListenerConnection = {
  write(bytes: Buffer): boolean;
  readonly writableNeedDrain: boolean;
  end(): unknown;
  destroy(): unknown;
};
type Listener = { outlet: ListenerConnection; next: number };
type Piece = { at: number; bytes: Buffer };

export type BroadcastOptions = {
  /** What a new listener gets at once, so that sound starts without waiting. */
  burstBytes: number;
  /**
   * How far a listener may fall behind. It is also all the memory there is, however many listen.
   */
  bufferBytes: number;
  /** Each listener is served once in this time, */
  roundMs: number;
  /** and not all of them together, so that a page asked for meanwhile waits for a few only. */
  groups: number;
};

/** As Icecast has it, which at 128 kbit/s is four seconds and half a minute. */
const defaultOptions: BroadcastOptions = {
  burstBytes: 64 * 1024,
  bufferBytes: 512 * 1024,
  roundMs: 1_000,
  groups: 20,
};

/**
 * One programme for many listeners. The last half minute is kept once for all; a listener is no
 * more than a place in it. Who takes too little falls out at its end and is let go, without having
 * slowed down anybody or used any memory.
 */
export function createBroadcast(onDropped: () => void, reach: BroadcastOptions = defaultOptions) {
  const pieces: Piece[] = [];
  let [begin, end] = [0, 0];
  const turns = Array.from({ length: reach.groups }, () => new Set<Listener>());
  const turnOf = new Map<ListenerConnection, { listener: Listener; turn: Set<Listener> }>();
  /** What was put together for one listener is right for all at the same place. */
  const joined = new Map<number, Buffer>();
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;

  function bytesFrom(from: number): Buffer {
    const known = joined.get(from);
    if (known) return known;
    const first = pieces.findIndex(({ at }) => at >= from);
    // Who has to catch up gets it in portions too: what is on its way to one listener alone is
    // memory.
    const until = pieces.findIndex(({ at }, i) => i > first && at >= from + 2 * reach.burstBytes);
    const parts = pieces.slice(first, until === -1 ? undefined : until).map(({ bytes }) => bytes);
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    joined.set(from, bytes);
    return bytes;
  }

  function serve(listener: Listener): void {
    const { outlet } = listener;
    if (listener.next < begin) {
      leave(outlet);
      onDropped();
      outlet.destroy();
      return;
    }
    if (outlet.writableNeedDrain || listener.next === end) return;
    const bytes = bytesFrom(listener.next);
    listener.next += bytes.length;
    outlet.write(bytes);
  }

  function serveNextTurn(): void {
    turn = (turn + 1) % turns.length;
    for (const listener of turns[turn] ?? []) serve(listener);
  }

  function leave(outlet: ListenerConnection): void {
    const known = turnOf.get(outlet);
    known?.turn.delete(known.listener);
    turnOf.delete(outlet);
    if (turnOf.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    get listeners() {
      return turnOf.size;
    },
    /** Whether a new listener would hear something at once. */
    get hasSound() {
      return end > begin;
    },

    /** The programme goes on by whole frames, so that every piece is a place to begin at. */
    play(bytes: Buffer): void {
      if (bytes.length === 0) return;
      pieces.push({ at: end, bytes });
      end += bytes.length;
      joined.clear();
      while (end - begin > reach.bufferBytes && pieces.length > 1)
        begin += pieces.shift()?.bytes.length ?? 0;
    },

    join(outlet: ListenerConnection): void {
      const start = pieces.findLast(({ at }) => at <= end - reach.burstBytes) ?? pieces[0];
      const smallest = turns.reduce((one, other) => (other.size < one.size ? other : one));
      const listener = { outlet, next: start?.at ?? end };
      smallest.add(listener);
      turnOf.set(outlet, { listener, turn: smallest });
      serve(listener);
      timer ??= setInterval(serveNextTurn, reach.roundMs / reach.groups);
    },
    leave,

    /** Nothing of what was played may be heard by who comes later. */
    forget(): void {
      pieces.length = 0;
      begin = end;
      joined.clear();
    },

    sendAway(): void {
      for (const outlet of [...turnOf.keys()]) {
        leave(outlet);
        outlet.end();
      }
    },
  };
}

import type { QueryOptions, Results } from "@electric-sql/pglite";

type Queries = {
  query<T>(text: string, params?: unknown[], options?: QueryOptions): Promise<Results<T>>;
  exec(text: string): Promise<Results[]>;
};

/**
 * Receives the notifications of a channel. Those that are sent between `onLost` and `onRestored` do
 * not arrive.
 */
export type ChannelListener = {
  onNotification(payload: string): void;
  onLost(error: Error): void;
  onRestored(): void;
};

export type PgliteClient = Queries & {
  /** All other queries wait until the work is done and committed or rolled back. */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>;
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>;
  /** Refuses all writes, except in transactions that begin with "set transaction read write". */
  setReadOnly(isReadOnly: boolean): Promise<void>;
  close(): Promise<void>;
};

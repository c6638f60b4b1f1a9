import type { Database } from "../../../../db/database.ts";
import type { Services } from "../../../platform/services.ts";
import type { FieldErrors } from "../../forms/receive.server.ts";
import type { EntryField, EntryRow, OpenEntry } from "./model.ts";

export type EntryServices = Pick<Services, "db" | "clock" | "site">;

/** What the log says about an entry that was changed. */
export type Changed = { id: string; title: string; note: string };

/** Writes an entry, or returns null if somebody has deleted it. */
type Write = (tx: Database, entry: { id: string | null; key: string }) => Promise<Changed | null>;

type EntryAction = {
  /** What the log says, such as "canceled". */
  done: string;
  /** What its editor reads, such as "is canceled". */
  became: string;
  run(services: EntryServices, tx: Database, id: string): Promise<Changed | null>;
};

/** What differs between the lists of the desk. */
export type EntryKind = {
  /** Such as "meeting". */
  noun: string;
  list(services: EntryServices): Promise<{ heading: string; rows: EntryRow[] }[]>;
  fields(services: EntryServices, isNew: boolean): EntryField[];
  /** `isLocked`: until the transaction ends, nobody else can change it. */
  open(services: EntryServices, id: string, isLocked: boolean): Promise<OpenEntry | null>;
  check(services: EntryServices, typed: Record<string, string>): Write | FieldErrors;
  /** What the buttons do, by the value that they send. */
  actions: Record<string, EntryAction>;
};

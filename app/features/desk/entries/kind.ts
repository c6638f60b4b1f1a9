import type { Database } from "../../../../db/database.ts";
import type { FieldErrors } from "../../forms/receive.server.ts";
import type { LogAction } from "../schema.server.ts";
import type { DeskServices } from "../services.ts";
import type { EntryField, EntryRow, OpenEntry } from "./model.ts";

type EntryAction<Row> = {
  /** What the log says, such as "canceled". */
  done: LogAction;
  /** What the editor who pressed the button reads about the entry, such as "is canceled". */
  became: string;
  run(services: DeskServices, tx: Database, row: Row): Promise<unknown>;
};

/** A checked form. `write` stores the entry; a new entry gets its id from `key`. */
type Checked<Row> =
  | { ok: true; write(tx: Database, before: Row | null, key: string): Promise<Row> }
  | { ok: false; errors: FieldErrors };

/** What differs between the lists of the desk. */
export type EntryKind<Row extends { id: string }> = {
  /** Such as "meeting". */
  noun: string;
  list(services: DeskServices): Promise<{ heading: string; rows: EntryRow[] }[]>;
  fields(services: DeskServices, isNew: boolean): EntryField[];
  find(db: Database, id: string): Promise<Row | null>;
  lock(tx: Database, id: string): Promise<Row | null>;
  open(services: DeskServices, row: Row): OpenEntry;
  /** Returns the title and the note with which the log mentions an entry. */
  describe(services: DeskServices, row: Row): { title: string; note: string };
  check(services: DeskServices, typed: Record<string, string>): Checked<Row>;
  /** What the buttons do, by the value that they send. */
  actions: Record<string, EntryAction<Row>>;
};

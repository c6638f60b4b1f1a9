import type { z } from "zod";
import type { Database } from "../../../../db/database.ts";
import type { Services } from "../../../platform/services.ts";
import { type FieldErrors, firstErrors } from "../../forms/receive.server.ts";
import type { EntryField, EntryRow, OpenEntry } from "./model.ts";

export type EntryServices = Pick<Services, "db" | "clock" | "site">;

/** What the log says about an entry that was changed. */
export type Changed = { id: string; title: string; note: string };

/** Writes an entry, or returns null if somebody has deleted it. */
type Write = (tx: Database, entry: { id: string | null; key: string }) => Promise<Changed | null>;

export type EntryAction = {
  /** What the log says, such as "canceled". */
  done: string;
  run(services: EntryServices, tx: Database, id: string): Promise<Changed | null>;
};

/** What differs between the lists of the desk. */
export type EntryKind = {
  /** Such as "meeting". */
  noun: string;
  list(services: EntryServices): Promise<{ heading: string; rows: EntryRow[] }[]>;
  /** The fields of the form, in their order. */
  fields(services: EntryServices, isNew: boolean): EntryField[];
  open(services: EntryServices, id: string): Promise<OpenEntry | null>;
  /** Checks what an editor typed. */
  check(services: EntryServices, typed: Record<string, string>): Write | FieldErrors;
  /** What the buttons do, by the value that they send. */
  actions: Record<string, EntryAction>;
};

/** Returns what an editor typed if it is valid, and what is wrong with each field otherwise. */
export function parseFields<S extends z.ZodType>(
  schema: S,
  typed: Record<string, string>,
): { values: z.output<S> } | { errors: FieldErrors } {
  const parsed = schema.safeParse(typed);
  return parsed.success ? { values: parsed.data } : { errors: firstErrors(parsed.error) };
}

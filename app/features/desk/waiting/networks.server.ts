import { and, eq, inArray, ne, notInArray } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Database } from "../../../../db/database.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { storySubmissions } from "../../stories/readers/schema.server.ts";

/**
 * Deletes the hashes of the networks of published stories and events. As long as something from the
 * same network waits, its editors see how much came from there, also after they approved a part.
 */
export async function deleteNetworks(db: Database): Promise<number> {
  const select = (table: typeof storySubmissions | typeof eventSubmissions) =>
    db.select({ network: table.network }).from(table).where(eq(table.state, "waiting"));
  const waiting = unionAll(
    select(storySubmissions),
    select(eventSubmissions),
    db
      .select({ network: contactMessages.network })
      .from(contactMessages)
      .where(eq(contactMessages.state, "new")),
  );
  let count = 0;
  for (const table of [storySubmissions, eventSubmissions]) {
    const { id, network, state } = table;
    const deleted = await db
      .update(table)
      .set({ network: "" })
      .where(
        and(
          ne(network, ""),
          inArray(state, ["approved", "down", "draft"]),
          notInArray(network, waiting),
        ),
      )
      .returning({ id });
    count += deleted.length;
  }
  return count;
}
